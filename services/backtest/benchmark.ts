import { holdStrategy } from '../../actors/strategy/hold.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { Backtest, type BacktestOptions } from './run-backtest.ts';
import { performanceOf } from './periods.ts';
import { TradeJournal } from './trades.ts';

/** What a result is to be measured by, in JSON's numbers. */
export type Benchmark = Benchmarks['results'][number];

/**
 * Buying and holding over the same sessions, with the same cash, fees and fills: all tickers in equal parts, and the index
 * alone where it can be held. Without the limits of the account, which are there for who trades.
 */
export class Benchmarks {
  readonly #all: Holding;
  readonly #index: Holding | null;

  constructor(
    { policy, ...more }: Omit<BacktestOptions, 'strategy' | 'onEvent'>,
    { tickers, index }: { readonly tickers: readonly string[]; readonly index: string },
  ) {
    const free = { ...policy, maxOrderValue: null, maxPositionBps: null, maxDailyLossBps: null };
    const options = { ...more, policy: free };
    const [only = ''] = tickers.length === 1 ? tickers : [];
    this.#all = new Holding(only || 'all equally', tickers, options);
    this.#index = index === only ? null : new Holding(index, [index], options);
  }

  /** `index`: the same day with the bars of the index alone. */
  run(session: SessionData, index: SessionData): void {
    this.#all.run(session);
    this.#index?.run(index);
  }

  get results() {
    return [this.#all.result, this.#index?.result ?? []].flat();
  }
}

class Holding {
  readonly #name: string;
  readonly #tickers: readonly string[];
  readonly #strategy = holdStrategy();
  readonly #journal = new TradeJournal('fifo');
  readonly #backtest: Backtest;
  /** The first bar of each ticker since the test began. */
  readonly #first = new Map<string, string>();

  constructor(name: string, tickers: readonly string[], options: Omit<BacktestOptions, 'strategy'>) {
    this.#name = `Hold ${name}, 90 % invested`;
    this.#tickers = tickers;
    const onEvent = (event: Parameters<TradeJournal['take']>[0]): void => this.#journal.take(event);
    this.#backtest = new Backtest({ ...options, strategy: this.#strategy, onEvent });
  }

  run(session: SessionData): void {
    this.#backtest.run(session);
    if (this.#backtest.equity.length === 0) return;
    for (const ticker of Object.keys(session.bars)) {
      if (!this.#first.has(ticker)) this.#first.set(ticker, session.date);
    }
  }

  /** None where nothing could be held. */
  get result() {
    const { equity } = this.#backtest;
    if (this.#first.size === 0) return [];
    const performance = performanceOf(equity);
    return [{ name: this.#name, notes: this.#notes(), final: equity.at(-1)!.value, performance, equity }];
  }

  /** What was not held all the time, and when. */
  #notes(): string[] {
    const { settlements, fills } = this.#journal;
    const began = [...this.#first.values()].reduce((first, date) => (date < first ? date : first));
    const [start, next] = [this.#backtest.equity[0]!.session, fills[0]?.session];
    const bought = new Map(fills.map(({ ticker, session }) => [ticker, session]));
    const late = [...bought].filter(([ticker, last]) => last !== next && !this.#strategy.buying.has(ticker));
    const leftOut = this.#tickers.filter((ticker) => this.#first.get(ticker) !== began);
    return [
      ...(began === start ? [] : [`bought nothing before ${began}: there were no bars`]),
      ...leftOut.map(
        (ticker) => `left out ${ticker}: its first bar is on ${this.#first.get(ticker) ?? 'no day'}`,
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
