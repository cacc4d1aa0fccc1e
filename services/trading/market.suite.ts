import { dateOf, DAY_MS } from '../../events/dates.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { MarketUpdateFinished } from '../../events/catalog/market.ts';
import { serve } from '../../events/messages/define.ts';
import {
  Pipeline,
  RecentCloses,
  SessionOn,
  Sessions,
  Tickers,
  type SessionData,
} from '../../events/messages/market.ts';

const FIRST_DAY = Date.UTC(2024, 0, 1);

/** The n-th day of the market. */
export const dayOf = (n: number): string => dateOf(FIRST_DAY + n * DAY_MS);

export interface FakeMarketOptions {
  /** Days there are. The feed starts after the first `warmUp`. */
  days: number;
  warmUp: number;
  /** Splits in force from a day on: `{ 7: { AAA: '2/1' } }`. */
  splits?: Readonly<Record<number, Record<string, string>>>;
  dividends?: Readonly<Record<number, Record<string, number>>>;
  /** The last day on which a ticker trades; the day after the next one it counts as gone. */
  ends?: Readonly<Record<string, number>>;
  /** The tickers that may be bought on a day; `null` for all. */
  universe?: (n: number) => string[] | null;
  /** What is known of series on a day. */
  series?: (n: number) => NonNullable<SessionData['series']>;
  /** Replaces the rule: the bar of a day as traded; `null` for none. */
  bar?: (ticker: string, n: number) => SessionData['bars'][string] | null;
}

export const TICKERS = ['AAA', 'BBB'];

const onError = (): void => undefined;

/** A session with the bars of one ticker alone; without a ticker: as it is. */
export function withBarsOf(session: SessionData, only: string | undefined): SessionData {
  if (only === undefined) return session;
  const bar = session.bars[only];
  return { ...session, bars: bar === undefined ? {} : { [only]: bar } };
}

/** A small market of two tickers whose prices wander by a rule. */
export class FakeMarket {
  readonly options: FakeMarketOptions;

  constructor(options: FakeMarketOptions) {
    this.options = options;
  }

  session(n: number): SessionData {
    const { splits, dividends, ends = {} } = this.options;
    const universe = this.options.universe?.(n) ?? null;
    const series = this.options.series?.(n);
    const trading = TICKERS.filter((ticker) => n <= (ends[ticker] ?? n));
    const bars = Object.fromEntries(
      trading.flatMap((ticker) => {
        const bar = this.#bar(ticker, n);
        return bar === null ? [] : [[ticker, bar] as const];
      }),
    );
    const ended = Object.entries(ends).filter(([, last]) => n > last + 1);
    return {
      date: dayOf(n),
      bars,
      splits: splits?.[n] ?? {},
      dividends: dividends?.[n] ?? {},
      ...(universe && { universe }),
      ...(series && { series }),
      ...(ended.length === 0
        ? {}
        : { gone: Object.fromEntries(ended.map(([name, at]) => [name, dayOf(at)])) }),
    };
  }

  sessions(
    after: string | null,
    limit: number,
    only?: string,
  ): { sessions: SessionData[]; warm_up: string | null } {
    const { days, warmUp } = this.options;
    const from = after ?? (warmUp > 0 ? dayOf(warmUp - 1) : '');
    const numbers = Array.from({ length: days }, (_, n) => n).filter((n) => dayOf(n) > from);
    return {
      sessions: numbers.slice(0, limit).map((n) => withBarsOf(this.session(n), only)),
      warm_up: warmUp > 0 ? dayOf(warmUp - 1) : null,
    };
  }

  /** The close as it would be traded had nothing been split since. */
  close(ticker: string, n: number): number {
    return this.#bar(ticker, n)?.close ?? NaN;
  }

  serve(bus: MessageBus): void {
    serve(
      bus,
      Sessions,
      'market',
      async ({ after, limit, ticker }) => this.sessions(after, limit, ticker),
      onError,
    );
    serve(bus, SessionOn, 'market', async ({ date }) => ({ session: this.on(date) }), onError);
    serve(bus, Tickers, 'market', async () => ({ initial: TICKERS, index: 'AAA', count: 2 }), onError);
    serve(
      bus,
      RecentCloses,
      'market',
      async ({ as_of, count }) => ({ closes: this.closes(as_of, count) }),
      onError,
    );
    serve(
      bus,
      Pipeline,
      'market',
      async () => ({
        status: 'ready' as const,
        tickers_loaded: 2,
        db_path: 'market.db',
        source: 'fake',
        synthetic: true,
        bars: 2 * this.options.days,
        first: dayOf(0),
        last: dayOf(this.options.days - 1),
        updated_at: null,
        failed: [],
        notes: [],
      }),
      onError,
    );
  }

  /** Adds days, and publishes the event for them. */
  extend(bus: MessageBus, days: number): void {
    this.options.days += days;
    bus.publish(MarketUpdateFinished.subject('market-1'), new Uint8Array());
  }

  /** The session of a date; `null` if there is none. */
  on(date: string): SessionData | null {
    const n = Math.round((Date.parse(date) - FIRST_DAY) / DAY_MS);
    return n >= 0 && n < this.options.days ? this.session(n) : null;
  }

  /** Split-adjusted as of a day, oldest first. */
  closes(asOf: string | null, count: number): Record<string, number[]> {
    const last = asOf === null ? this.options.days - 1 : Math.round((Date.parse(asOf) - FIRST_DAY) / DAY_MS);
    const numbers = Array.from({ length: last + 1 }, (_, n) => n).slice(-count);
    return Object.fromEntries(
      TICKERS.map((ticker) => [
        ticker,
        numbers
          .filter((n) => n <= (this.options.ends?.[ticker] ?? n) && this.#bar(ticker, n) !== null)
          .map((n) => (this.close(ticker, n) * this.#factor(ticker, n)) / this.#factor(ticker, last)),
      ]),
    );
  }

  /** The number of shares on a day for one on the first day. */
  #factor(ticker: string, n: number): number {
    let factor = 1;
    for (const [day, splits] of Object.entries(this.options.splits ?? {})) {
      const [news, olds] = (splits[ticker] ?? '1/1').split('/').map(Number);
      if (Number(day) <= n) factor *= news! / olds!;
    }
    return factor;
  }

  #bar(ticker: string, n: number): SessionData['bars'][string] | null {
    if (this.options.bar !== undefined) return this.options.bar(ticker, n);
    const wave = (ticker === 'AAA' ? 100 : 50) + ((n * 7 + ticker.charCodeAt(0)) % 11) - 5;
    const base = Math.round((wave / this.#factor(ticker, n)) * 100) / 100;
    return { open: base, high: base + 3, low: base - 3, close: base + ((n % 3) - 1), volume: 1_000_000 };
  }
}
