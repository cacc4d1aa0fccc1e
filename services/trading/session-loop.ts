import { once } from 'node:events';
import type { Logger } from 'pino';
import { isAtRest } from '../../actors/trading/engine.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { KeyedQueue } from '../../events/keyed-queue.ts';
import type { Market } from './ask-market.ts';
import { closeSession, openSession, matchSession, type SessionSteps } from './session-steps.ts';
import type { StrategyRunner } from './strategy-runner.ts';
import type { Timer } from './timer.ts';

interface FeedOptions {
  readonly market: Market;
  readonly steps: SessionSteps;
  readonly strategy: StrategyRunner;
  /** Sessions and comparisons with the broker, one after the other. */
  readonly turns: KeyedQueue;
  /** Time stands still while nothing trades: of a replay. */
  readonly restsWhenIdle: boolean;
  /** From one session to the next, in milliseconds. */
  readonly intervalMs: number;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** Milliseconds after which it is asked again whether there is a further session, or a fault has gone. */
const POLL_MS = 1_000;

/** The one turn that sessions and comparisons share. */
export const SESSION_TURN = 'session';

/**
 * Time: the market's sessions one after the other, each wholly, whether trading is active or not. A session is opened on
 * record, met by the orders that were open then, closed on record, and then it is the strategy's turn. A session that was
 * cut off, by a crash or a fault, is finished before anything else: each of these steps can be repeated. Where it
 * `restsWhenIdle`, no session comes while trading is stopped and no order is open; closing a position lets time pass until
 * it is closed.
 */
export function feedOf(options: FeedOptions) {
  const { market, steps, strategy, turns, restsWhenIdle, intervalMs, timer, logger } = options;
  const { writer } = steps;
  const pages = pagesOf(market);
  let begun = false;
  let waiting = false;
  let resting = false;
  /** What is being played; after a fault it is played again. */
  let current: SessionData | null = null;
  let isFaulty = false;
  let nudged = new AbortController();

  /** What it waits for may be there. */
  function rouse(): void {
    nudged.abort();
    nudged = new AbortController();
  }

  // What it rests for may be over.
  writer.follow(() => {
    if (resting) rouse();
  });

  /** After the first session: from then on there is a day to be at. */
  function mayRest(): boolean {
    const isBetweenSessions = current === null && writer.state.closedSession !== null;
    return restsWhenIdle && begun && isBetweenSessions && isAtRest(writer.state);
  }

  /** Nothing has begun while the market has nothing yet, not even a past. */
  async function begin(): Promise<void> {
    const range = await market.range();
    if (range === null) return;
    await lookForSource(range);
    const { session, closedSession } = writer.state;
    const from = closedSession ?? (await market.sessions(null, 1)).warmUp;
    // One session more than it needs: a turn is seen from the one before.
    const count = strategy.warmUp + 1;
    const closes = from === null ? new Map() : await market.recentCloses(from, count);
    const last = from === null ? null : await market.sessionOn(from);
    steps.prices.begin(from, closes, last?.gone);
    if (from !== null) {
      const sessions = strategy.usesPredictions ? await market.recentSessions(from, count) : [];
      const closed = closedSession !== null && session === closedSession;
      const traded = new Set(last === null ? closes.keys() : Object.keys(last.bars));
      await strategy.begin(from, { closes, traded, sessions }, closed);
    }
    if (session !== null && session !== closedSession) current = await openSession(market, session);
    begun = true;
  }

  /**
   * Where the account was with another source it waits for a session that may never come, or holds what has no price:
   * said, because nothing else shows it.
   */
  async function lookForSource(range: { readonly first: string; readonly last: string }): Promise<void> {
    const { session, positions, books } = writer.state;
    if (session === null) return;
    const listed = new Set(await market.tickers());
    const held = [...positions].filter(([, { quantity }]) => quantity !== 0n).map(([ticker]) => ticker);
    const missing = [...new Set([...held, ...books.keys()])].filter((ticker) => !listed.has(ticker));
    if (missing.length === 0 && session >= range.first && session <= range.last) return;
    logger.warn(
      { session, ...range, missing },
      'the last session or the tickers of the account are not in the market data; was it used with another data source?',
    );
  }

  const play = (session: SessionData): Promise<void> =>
    turns.run(SESSION_TURN, async () => {
      await matchSession(session, steps);
      await closeSession(session, steps);
      await strategy.run(session);
    });

  return {
    /** Prices are known, and the strategy its past. */
    get begun() {
      return begun;
    },

    /** There is no further session yet, or nobody who knows of one. */
    get waiting() {
      return waiting;
    },

    /** Trading is stopped, no order is open, and so the clock does not run. */
    get resting() {
      return resting;
    },

    /** There may be another session: looks at once. */
    nudge(): void {
      pages.forget();
      rouse();
    },

    /** Until the signal aborts; the step at hand is finished or given up, whatever the account's writer allows. */
    async run(signal: AbortSignal): Promise<void> {
      let due = timer.now();
      while (!signal.aborted) {
        try {
          if (!begun) await begin();
          resting = mayRest();
          if (resting) {
            waiting = false;
            const roused = AbortSignal.any([signal, nudged.signal]);
            if (!roused.aborted) await once(roused, 'abort');
            due = timer.now();
            continue;
          }
          if (begun) current ??= await pages.next(writer.state.closedSession);
          waiting = current === null;
          if (current !== null) {
            await timer.wait(Math.max(0, due - timer.now()), signal);
            if (signal.aborted) return;
            due = Math.max(due, timer.now()) + intervalMs;
            await play(current);
            current = null;
          }
          isFaulty = false;
        } catch (error) {
          waiting = true;
          if (signal.aborted) return;
          // Once for each time that something is away.
          if (!isFaulty) logger.warn({ err: error }, 'the market data feed is waiting');
          isFaulty = true;
        }
        if (waiting) await timer.wait(POLL_MS, AbortSignal.any([signal, nudged.signal]));
      }
    },
  };
}

export type Feed = ReturnType<typeof feedOf>;

/** Sessions asked for at a time. */
const PAGE = 100;

/** The sessions of the market one after the other; the next page is fetched while there is still something of this one. */
function pagesOf(market: Pick<Market, 'sessions'>) {
  let page: readonly SessionData[] = [];
  /** Asked for already: what comes after the page at hand. */
  let following: Promise<readonly SessionData[]> | undefined;

  const fetchAfter = async (date: string | null): Promise<readonly SessionData[]> =>
    (await market.sessions(date, PAGE)).sessions;

  return {
    /** The first session after a date; `null` where there is none yet. Rejects while the market service is away. */
    async next(after: string | null): Promise<SessionData | null> {
      const isLater = ({ date }: SessionData): boolean => after === null || date > after;
      page = page.filter(isLater);
      if (page.length === 0) {
        const fetched = following ?? fetchAfter(after);
        following = undefined;
        page = (await fetched).filter(isLater);
      }
      const last = page.at(-1);
      if (last !== undefined && page.length <= PAGE / 2 && following === undefined) {
        following = fetchAfter(last.date);
        // Its fault is met when the page is turned.
        following.catch(() => undefined);
      }
      return page[0] ?? null;
    },

    /** The market has changed: what was fetched may be out of date. */
    forget(): void {
      page = [];
      following = undefined;
    },
  };
}
