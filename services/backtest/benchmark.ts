import { addDays } from '../../events/dates.ts';
import { holdStrategy } from '../../actors/strategy/hold.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { Rhythm } from '../market/rhythm.ts';
import { Backtest, type BacktestOptions } from './run-backtest.ts';
import { performanceOf } from './periods.ts';

/** What a result is compared with, with numbers for JSON. */
export type Benchmark = Benchmarks['results'][number];

/**
 * Buying and holding over the same sessions, with the same cash, fees and fills: all tickers in equal parts, and the
 * index alone if it can be held. With a universe, the tickers are those that may be bought on its first day: holding
 * those that came into it later would leave out all that went under. The account's limits do not apply, because they
 * are for trading.
 */
export class Benchmarks {
  readonly #all: Holding;
  readonly #index: Holding | null;

  constructor(
    { policy, ...more }: HoldingOptions,
    { tickers, index, rhythm, sessions, indexSessions }: Compared,
  ) {
    const free = { ...policy, maxOrderValue: null, maxPositionBps: null, maxDailyLossBps: null };
    const options = { ...more, policy: free };
    const [only = ''] = tickers.length === 1 ? tickers : [];
    const of = { ...options, rhythm };
    const members = only === '' ? membersAtFirst(sessions, more.from) : null;
    const all = members === null ? 'all equally' : 'the first universe equally';
    this.#all = new Holding(only || all, tickers, sessions, { ...of, members });
    this.#index =
      index === only ? null : new Holding(index, [index], indexSessions, { ...of, members: null });
  }

  /** `index` is the same day with the bars of the index alone. */
  run(session: SessionData, index: SessionData): void {
    this.#all.run(session);
    this.#index?.run(index);
  }

  get results() {
    return [this.#all.result, this.#index?.result ?? []].flat();
  }
}

interface HoldingOptions extends Omit<
  BacktestOptions,
  'strategy' | 'onEvent' | 'matching' | 'eachHolding' | 'flows'
> {
  readonly riskFreePercent: number;
}

interface Compared {
  readonly tickers: readonly string[];
  readonly index: string;
  readonly rhythm: Rhythm;
  /** The sessions of the backtest. */
  readonly sessions: readonly SessionData[];
  /** The days of the test with the bars of the index and of no ticker. */
  readonly indexSessions: readonly SessionData[];
}

/** The tickers that may be bought on a day. */
interface Members {
  readonly date: string;
  readonly tickers: ReadonlySet<string>;
}

/** What may be bought on the first day of the test on which anything may; `null` if everything may be bought. */
function membersAtFirst(sessions: readonly SessionData[], from: string | null): Members | null {
  for (const { date, universe = [] } of sessions) {
    if (universe.length > 0 && (from === null || date >= from)) return { date, tickers: new Set(universe) };
  }
  return null;
}

/** The days of a ticker's first and second bar since the start of the backtest. */
type FirstBars = readonly [first: string, second?: string];

function firstBars(sessions: readonly SessionData[], from: string | null): Map<string, FirstBars> {
  const found = new Map<string, FirstBars>();
  for (const { date, bars } of sessions) {
    if (from !== null && date < from) continue;
    for (const ticker of Object.keys(bars)) {
      const [first, second] = found.get(ticker) ?? [];
      if (first === undefined) found.set(ticker, [date]);
      else if (second === undefined) found.set(ticker, [first, date]);
    }
  }
  return found;
}

/**
 * A ticker whose first bar comes at most this many days after the first session counts as there from the start, because
 * exchanges pause.
 */
const START_DAYS = 31;

class Holding {
  readonly #name: string;
  readonly #tickers: readonly string[];
  readonly #members: Members | null;
  /** The number of tickers that are no members. */
  readonly #others: number;
  readonly #strategy: ReturnType<typeof holdStrategy>;
  readonly #backtest: Backtest;
  readonly #first: ReadonlyMap<string, FirstBars>;
  readonly #began: string;
  readonly #scale: Parameters<typeof performanceOf>[1];

  constructor(
    name: string,
    tickers: readonly string[],
    sessions: readonly SessionData[],
    {
      rhythm,
      members,
      ...options
    }: HoldingOptions & Pick<Compared, 'rhythm'> & { readonly members: Members | null },
  ) {
    this.#name = `Hold ${name}, 90 % invested`;
    this.#members = members;
    this.#tickers = tickers.filter((ticker) => members?.tickers.has(ticker) ?? true);
    this.#others = tickers.length - this.#tickers.length;
    const { riskFreePercent } = options;
    this.#scale = { perYear: rhythm.perYear, riskFreePercent };
    this.#first = firstBars(sessions, options.from);
    this.#began = [...this.#first.values()].map(([first]) => first).sort()[0] ?? '';
    this.#strategy = holdStrategy(this.#tickers.filter((ticker) => this.#isThere(ticker)));
    this.#backtest = new Backtest({ ...options, strategy: this.#strategy });
  }

  run(session: SessionData): void {
    this.#backtest.run(session);
  }

  /** Whether the ticker trades from the start or soon after it. */
  #isThere(ticker: string): boolean {
    const [first] = this.#first.get(ticker) ?? [];
    return first !== undefined && first <= addDays(this.#began, START_DAYS);
  }

  /** The result; `null` if nothing could be held. */
  get result() {
    const { equity } = this.#backtest.history;
    if (this.#first.size === 0) return [];
    const performance = performanceOf(equity, this.#scale);
    return [{ name: this.#name, notes: this.#notes(), final: equity.at(-1)!.value, performance, equity }];
  }

  /** Notes on which tickers were not held all the time, and when. */
  #notes(): string[] {
    const { equity, journal } = this.#backtest.history;
    const { settlements, fills } = journal;
    const began = this.#began;
    const start = equity[0]!.session;
    const bought = new Map(fills.map(({ ticker, session }) => [ticker, session]));
    const late = [...bought].filter(
      ([ticker, last]) => last !== this.#first.get(ticker)?.[1] && !this.#strategy.buying.has(ticker),
    );
    const leftOut = this.#tickers.filter((ticker) => !this.#isThere(ticker));
    return [
      ...(began === start ? [] : [`bought nothing before ${began}: there were no bars`]),
      ...(this.#others === 0
        ? []
        : [`left out ${this.#others} that universe.csv does not have on ${this.#members!.date}`]),
      ...leftOut.map(
        (ticker) => `left out ${ticker}: its first bar is on ${this.#first.get(ticker)?.[0] ?? 'no day'}`,
      ),
      ...late.map(([ticker, last]) => `fully bought ${ticker} only on ${last}`),
      ...[...this.#strategy.buying].map((ticker) => `never fully bought ${ticker}`),
      ...settlements.map(
        ({ ticker, session, last_traded }) =>
          `settled ${ticker} on ${session} at its last price (${last_traded}), and kept the cash from then on`,
      ),
    ].map((note) => `${this.#name}: ${note}.`);
  }
}
