import type { Logger } from 'pino';
import { isAtRest } from '../../actors/trading/engine.ts';
import type { AccountState } from '../../actors/trading/state.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { KeyedQueue } from '../../events/keyed-queue.ts';
import type { Market } from './market.ts';
import { closeSession, openSession, matchSession, type SessionSteps } from './session-steps.ts';
import type { StrategyRunner } from './strategy-runner.ts';
import type { Timer } from './timer.ts';

interface FeedOptions {
  readonly market: Market;
  readonly account: { readonly state: AccountState };
  readonly steps: SessionSteps;
  readonly strategy: StrategyRunner;
  /** Sessions and comparisons with the broker, one after the other. */
  readonly turns: KeyedQueue;
  /** Time stands still while nothing trades: of a market that could go on for ever. */
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
export class Feed {
  readonly #options: FeedOptions;
  readonly #pages: SessionPages;
  #begun = false;
  #waiting = false;
  #resting = false;
  /** What is being played; after a fault it is played again. */
  #current: SessionData | null = null;
  #faulty = false;
  #nudge = new AbortController();

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#pages = new SessionPages(options.market);
  }

  /** Prices are known, and the strategy its past. */
  get begun(): boolean {
    return this.#begun;
  }

  /** There is no further session yet, or nobody who knows of one. */
  get waiting(): boolean {
    return this.#waiting;
  }

  /** Trading is stopped, no order is open, and so the clock does not run. */
  get resting(): boolean {
    return this.#resting;
  }

  /** What it rests for may be over. */
  wake(): void {
    if (!this.#resting) return;
    this.#nudge.abort();
    this.#nudge = new AbortController();
  }

  /** There may be another session: looks at once. */
  nudge(): void {
    this.#pages.forget();
    this.#nudge.abort();
    this.#nudge = new AbortController();
  }

  /** Until the signal aborts; the step at hand is finished or given up, whatever the account's writer allows. */
  async run(signal: AbortSignal): Promise<void> {
    const { timer, intervalMs } = this.#options;
    let due = timer.now();
    while (!signal.aborted) {
      try {
        if (!this.#begun) await this.#begin();
        this.#resting = this.#mayRest();
        if (this.#resting) {
          this.#waiting = false;
          await aborted(AbortSignal.any([signal, this.#nudge.signal]));
          due = timer.now();
          continue;
        }
        if (this.#begun) this.#current ??= await this.#pages.next(this.#options.account.state.closedSession);
        this.#waiting = this.#current === null;
        if (this.#current !== null) {
          await timer.wait(Math.max(0, due - timer.now()), signal);
          if (signal.aborted) return;
          due = Math.max(due, timer.now()) + intervalMs;
          await this.#play(this.#current);
          this.#current = null;
        }
        this.#faulty = false;
      } catch (error) {
        this.#waiting = true;
        if (!signal.aborted) this.#tell(error);
      }
      if (this.#waiting) await timer.wait(POLL_MS, AbortSignal.any([signal, this.#nudge.signal]));
    }
  }

  /** After the first session: from then on there is a day to be at. */
  #mayRest(): boolean {
    const { restsWhenIdle, account } = this.#options;
    const isBetweenSessions = this.#current === null && account.state.closedSession !== null;
    return restsWhenIdle && this.#begun && isBetweenSessions && isAtRest(account.state);
  }

  /** Nothing has begun while the market has nothing yet, not even a past. */
  async #begin(): Promise<void> {
    const { account, market, steps, strategy } = this.#options;
    const range = await market.range();
    if (range === null) return;
    await this.#lookForSource(range);
    const { session, closedSession } = account.state;
    const from = closedSession ?? (await market.sessions(null, 1)).warmUp;
    // One session more than it needs: a turn is seen from the one before.
    const closes = from === null ? new Map() : await market.recentCloses(from, strategy.warmUp + 1);
    const last = from === null ? null : await market.sessionOn(from);
    steps.prices.begin(from, closes, last?.gone);
    if (from !== null) {
      const count = strategy.warmUp + 1;
      const sessions = strategy.usesPredictions ? await market.recentSessions(from, count) : [];
      const closed = closedSession !== null && session === closedSession;
      const traded = new Set(last === null ? closes.keys() : Object.keys(last.bars));
      await strategy.begin(from, { closes, traded, sessions }, closed);
    }
    if (session !== null && session !== closedSession) {
      this.#current = await openSession(market, session);
    }
    this.#begun = true;
  }

  /**
   * Where the account was with another source it waits for a session that may never come, or holds what has no price:
   * said, because nothing else shows it.
   */
  async #lookForSource(range: { readonly first: string; readonly last: string }): Promise<void> {
    const { account, market, logger } = this.#options;
    const { session, positions, books } = account.state;
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

  async #play(session: SessionData): Promise<void> {
    const { turns, steps, strategy } = this.#options;
    await turns.run(SESSION_TURN, async () => {
      await matchSession(session, steps);
      await closeSession(session, steps);
      await strategy.run(session);
    });
  }

  /** Once for each time that something is away. */
  #tell(error: unknown): void {
    if (!this.#faulty) this.#options.logger.warn({ err: error }, 'the market data feed is waiting');
    this.#faulty = true;
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Sessions asked for at a time. */
const PAGE = 100;

/** The sessions of the market one after the other; the next page is fetched while there is still something of this one. */
class SessionPages {
  readonly #market: Pick<Market, 'sessions'>;
  #page: SessionData[] = [];
  /** Asked for already: what comes after the page at hand. */
  #following: Promise<readonly SessionData[]> | undefined;

  constructor(market: Pick<Market, 'sessions'>) {
    this.#market = market;
  }

  /** The first session after a date; `null` where there is none yet. Rejects while the market service is away. */
  async next(after: string | null): Promise<SessionData | null> {
    this.#drop(after);
    if (this.#page.length === 0) {
      const following = this.#following ?? this.#fetch(after);
      this.#following = undefined;
      this.#page = [...(await following)];
      this.#drop(after);
    }
    const last = this.#page.at(-1);
    if (last !== undefined && this.#page.length <= PAGE / 2 && this.#following === undefined) {
      this.#following = this.#fetch(last.date);
      // Its fault is met when the page is turned.
      this.#following.catch(() => undefined);
    }
    return this.#page[0] ?? null;
  }

  /** The market has changed: what was fetched may be out of date. */
  forget(): void {
    this.#page = [];
    this.#following = undefined;
  }

  async #fetch(after: string | null): Promise<readonly SessionData[]> {
    return (await this.#market.sessions(after, PAGE)).sessions;
  }

  #drop(after: string | null): void {
    if (after !== null) this.#page = this.#page.filter(({ date }) => date > after);
  }
}
