import { holdStrategy } from '../../actors/strategy/hold.ts';
import type { Performance } from '../../actors/strategy/performance.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { Backtest, type BacktestOptions, type EquityPoint } from './run.ts';
import { performanceOf } from './periods.ts';

/** What a result is to be measured by, in JSON's numbers. */
export interface Benchmark {
  readonly name: string;
  readonly final: number;
  readonly performance: Performance;
  readonly equity: readonly EquityPoint[];
}

/**
 * Buying and holding over the same sessions, with the same cash, fees and fills: all tickers in equal parts, and the index
 * alone where it can be traded. Without the limits of the account, which are there for who trades.
 */
export class Benchmarks {
  readonly #running: readonly { readonly name: string; readonly backtest: Backtest }[];

  constructor(
    { policy, ...options }: Omit<BacktestOptions, 'strategy' | 'onEvent'>,
    { tickers, index }: { readonly tickers: readonly string[]; readonly index: string },
  ) {
    const free = { ...policy, maxOrderValue: null, maxPositionBps: null, maxDailyLossBps: null };
    const held = tickers.includes(index) && tickers.length > 1 ? [null, index] : [null];
    this.#running = held.map((only) => ({
      name: `Hold ${only ?? (tickers.length === 1 ? tickers[0]! : 'all equally')}, 90 % invested`,
      backtest: new Backtest({ ...options, policy: free, strategy: holdStrategy(only) }),
    }));
  }

  run(session: SessionData): void {
    for (const { backtest } of this.#running) backtest.run(session);
  }

  get results(): Benchmark[] {
    return this.#running
      .filter(({ backtest }) => backtest.equity.length > 0)
      .map(({ name, backtest: { equity } }) => ({
        name,
        final: equity.at(-1)!.value,
        performance: performanceOf(equity),
        equity,
      }));
  }
}
