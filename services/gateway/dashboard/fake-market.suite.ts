import { DAY_MS } from '../../../events/dates.ts';
import { BelegError } from '../../../events/errors.ts';
import type { SessionData } from '../../../events/messages/market.ts';
import { seeded } from '../../../events/seeded.ts';

/** A daily bar of a fake ticker. */
export interface FakeBar {
  date: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export const LAST_SESSION = '2025-06-13';

/** Plausible bars of each ticker, the same in every run: weekdays up to `LAST_SESSION`. */
export class FakeMarket {
  readonly #bars: ReadonlyMap<string, readonly FakeBar[]>;

  constructor(tickers: readonly string[], count: number) {
    const dates = weekdays(count);
    this.#bars = new Map(tickers.map((ticker, i) => [ticker, walk(dates, 100 + 40 * i, i + 1)]));
  }

  /** Oldest first. */
  bars(ticker: string, asOf: string | null, before: string | null = null): readonly FakeBar[] {
    const all = this.#bars.get(ticker);
    if (all === undefined) throw new BelegError('UNKNOWN_TICKER');
    const known = all.filter(({ date }) => asOf === null || date <= asOf);
    if (known.length === 0) throw new BelegError('MARKET_DATA_MISSING');
    return before === null ? known : known.filter(({ date }) => date < before);
  }

  latest(ticker: string, asOf: string | null): FakeBar {
    return this.bars(ticker, asOf).at(-1)!;
  }

  has(ticker: string): boolean {
    return this.#bars.has(ticker);
  }

  sessions(after: string | null, limit: number): SessionData[] {
    const [first] = this.#bars.values();
    const dates = first!.map(({ date }) => date).filter((date) => after === null || date > after);
    return dates.slice(0, limit).map((date) => this.session(date)!);
  }

  session(date: string): SessionData | null {
    const bars = [...this.#bars].flatMap(([ticker, all]) => {
      const bar = all.find((candidate) => candidate.date === date);
      if (bar === undefined) return [];
      const { date: _date, ...figures } = bar;
      return [[ticker, figures] as const];
    });
    return bars.length === 0 ? null : { date, bars: Object.fromEntries(bars), splits: {}, dividends: {} };
  }

  closes(asOf: string | null, count: number): Record<string, number[]> {
    const entries = [...this.#bars.keys()].map((ticker) => {
      const closes = this.bars(ticker, asOf).map(({ close }) => close);
      return [ticker, closes.slice(-count)] as const;
    });
    return Object.fromEntries(entries);
  }
}

function weekdays(count: number): string[] {
  const dates: string[] = [];
  for (let at = Date.parse(LAST_SESSION); dates.length < count; at -= DAY_MS) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 !== 0) dates.push(day.toISOString().slice(0, 10));
  }
  return dates.reverse();
}

function walk(dates: readonly string[], start: number, seed: number): FakeBar[] {
  const random = seeded(seed);
  let close = start;
  return dates.map((date) => {
    const open = close;
    close = cents(Math.max(1, open * (1 + (random() - 0.495) * 0.03)));
    return {
      date,
      open,
      high: cents(Math.max(open, close) * (1 + random() * 0.01)),
      low: cents(Math.min(open, close) * (1 - random() * 0.01)),
      close,
      volume: Math.round(1e6 + random() * 4e6),
    };
  });
}

const cents = (value: number): number => Math.round(value * 100) / 100;
