import { setImmediate as eventLoop } from 'node:timers/promises';
import { dateOfSession, LAST_SESSION, sessionAfter } from './demo-calendar.ts';
import { DemoMarket } from './demo-market.ts';
import { DEMO_INDEX, DEMO_INSTRUMENTS } from './demo-tickers.ts';
import {
  SourceFaults,
  type BarSource,
  type Dividend,
  type Fetched,
  type SourceBar,
  type Split,
} from './source.ts';

const SEED = 2024;
/** The end of the history; `extend` gives the sessions after it. */
export const DEMO_HISTORY_END = '2025-12-31';
const HISTORY = sessionAfter(DEMO_HISTORY_END);

/** After this many sessions a state of the market is kept, and the event loop gets a turn. */
const CHECKPOINT = 4_096;

interface Collected extends Fetched {
  readonly bars: SourceBar[];
  readonly splits: Split[];
  readonly dividends: Dividend[];
}

/**
 * A synthetic market: a dozen invented tickers and an index, with ten years of history and no end before the year 9999.
 * A day is the same in every process, whatever was calculated before it.
 */
export function demoSource(): BarSource {
  const checkpoints = [DemoMarket.seeded(SEED)];
  let recent = checkpoints[0]!;
  let history: Promise<ReadonlyMap<string, Fetched>> | null = null;

  /** The last kept state before a session. */
  function before(session: number): DemoMarket {
    const kept = checkpoints[Math.min(Math.floor(session / CHECKPOINT), checkpoints.length - 1)]!;
    return (recent.session <= session && recent.session > kept.session ? recent : kept).copy();
  }

  async function sessions(first: number, count: number): Promise<ReadonlyMap<string, Fetched>> {
    const end = Math.min(first + count, LAST_SESSION + 1);
    const collected = new Map(DEMO_INSTRUMENTS.map(({ ticker }) => [ticker, empty()]));
    const market = before(first);
    while (market.session < end) {
      if (market.session === checkpoints.length * CHECKPOINT) {
        checkpoints.push(market.copy());
        await eventLoop();
      }
      if (market.session < first) market.next(() => undefined);
      else collect(market, collected);
    }
    recent = market;
    return collected;
  }

  return {
    name: 'demo',
    synthetic: true,
    index: DEMO_INDEX,
    feedStart: 'year-before-end',
    tickers: () => Promise.resolve(DEMO_INSTRUMENTS.map(({ ticker }) => ticker)),
    async fetch(ticker, since, signal) {
      history ??= sessions(0, HISTORY);
      const fetched = (await history).get(ticker);
      signal.throwIfAborted();
      if (fetched === undefined)
        throw new SourceFaults([`${ticker}: the synthetic market does not have this ticker`]);
      return since === null ? fetched : from(fetched, since);
    },
    extend: (after, count) => sessions(sessionAfter(after), count),
  };
}

function empty(): Collected {
  return { bars: [], splits: [], dividends: [], convention: { bars: 'as-traded', dividends: 'as-traded' } };
}

function collect(market: DemoMarket, into: ReadonlyMap<string, Collected>): void {
  const date = dateOfSession(market.session);
  market.next(({ ticker }, day) => {
    const { bars, splits, dividends } = into.get(ticker)!;
    const { volume, split, dividend } = day;
    bars.push({
      date,
      open: day.open / 100,
      high: day.high / 100,
      low: day.low / 100,
      close: day.close / 100,
      volume,
    });
    if (split !== null) splits.push({ date, ratio: `${split[0]}/${split[1]}` });
    if (dividend > 0) dividends.push({ date, amount: dividend / 100 });
  });
}

function from({ bars, splits, dividends, convention }: Fetched, since: string): Fetched {
  const wanted = ({ date }: { date: string }): boolean => date >= since;
  return {
    bars: bars.filter(wanted),
    splits: splits.filter(wanted),
    dividends: dividends.filter(wanted),
    convention,
  };
}
