import type { SessionData } from '../../../events/messages/market.ts';
import type { StrategyFault } from '../../strategies/fault.ts';
import type { StrategySource } from '../../strategies/named.ts';
import type { HostedStrategy } from '../../strategies/hosted.ts';
import { openStrategy } from '../../strategies/own-strategy.ts';
import { returnsOf } from '../periods.ts';
import { Backtest, type BacktestOptions } from '../run-backtest.ts';
import type { Combination } from './parameter-space.ts';
import type { Trial } from './sweep-summary.ts';

/** The common input of all trials of a sweep. It can be sent to a thread. */
export interface TrialInput extends Pick<BacktestOptions, 'policy' | 'rules' | 'cash' | 'currency' | 'from'> {
  readonly sessions: readonly SessionData[];
  readonly tickers: readonly string[];
  readonly source: StrategySource;
}

/** Opens the strategy with these parameters. Rejects with a `StrategyFault` for unknown or forbidden ones. */
export function openOf(parameters: Combination, { source, tickers }: TrialInput): Promise<HostedStrategy> {
  const known = new Set(tickers);
  return openStrategy(source, { parameters, hasTicker: (ticker) => known.has(ticker) });
}

/**
 * Runs one backtest. If the strategy fails, the result is only where and on which day, because part of a run is no
 * result; every other error rejects.
 */
export async function runTrial(
  parameters: Combination,
  input: TrialInput,
): Promise<Trial | { readonly failure: string }> {
  const { source, sessions } = input;
  const strategy = await openOf(parameters, input);
  let failed: StrategyFault | undefined;
  try {
    const backtest = new Backtest({
      ...input,
      strategies: [{ source, strategy }],
      onFault: (_, fault) => void (failed ??= fault),
    });
    for (const session of sessions) {
      const running = backtest.runOwn(session);
      // Awaiting a value that is there takes longer than much of a session.
      if (running instanceof Promise) await running;
      if (failed !== undefined) return { failure: `${failed.told}, on ${session.date}` };
    }
    return {
      parameters,
      returns: Float64Array.from(returnsOf(backtest.history.equity)),
      trades: backtest.history.journal.trades.length,
    };
  } finally {
    await strategy.close();
  }
}
