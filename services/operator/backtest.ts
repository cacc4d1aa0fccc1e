import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createStrategy, type StrategyName } from '../../actors/strategy/strategies.ts';
import type { Matching } from '../../actors/trading/lots.ts';
import type { PredictedSession } from '../backtest/predicted-sessions.ts';
import { Benchmarks } from '../backtest/benchmark.ts';
import { parametersOf } from '../backtest/parameters.ts';
import { figuresOf, notesOf, renderReport, summaryJson } from '../backtest/html-report.ts';
import { Backtest } from '../backtest/run-backtest.ts';
import { loadSessions, pointsOf } from '../backtest/sessions.ts';
import { summarise } from '../backtest/summary.ts';
import { TradeJournal } from '../backtest/trades.ts';
import { readSettings } from '../composition/settings.ts';
import { loadSignalModel } from './backtest-model.ts';
import { UsageError } from './report-failure.ts';
import { startProgressBar } from './progress-bar.ts';

export interface BacktestArguments {
  readonly strategy?: StrategyName;
  readonly weights?: string;
  readonly from?: string;
  readonly to?: string;
  readonly tickers?: string;
  readonly lots: Matching;
  readonly report?: string;
  readonly json?: true;
}

/** `beleg backtest`: the settings' account, broker and fees over stored bars, in memory; nothing of it is kept but the report. */
export async function backtest(options: BacktestArguments): Promise<void> {
  const { market, trading, model } = readSettings({
    ...process.env,
    TD_TICKERS: options.tickers ?? process.env['TD_TICKERS'],
    TD_STRATEGY: options.strategy ?? process.env['TD_STRATEGY'],
  });
  const strategy = createStrategy(trading.strategy);
  if (options.weights !== undefined && !strategy.usesPredictions) {
    throw new UsageError(
      `--weights only works with a strategy that uses predictions; ${strategy.name} does not`,
    );
  }
  const signal = strategy.usesPredictions ? await loadSignalModel(options.weights, model) : null;
  using loading = startProgressBar('loading', { of: 'tickers' });
  const { sessions, indexSessions, ...loaded } = await loadSessions(market, {
    to: options.to ?? null,
    now: () => new Date(),
    onTicker: loading.update,
  });
  loading.stop();
  const from = options.from ?? signal?.outOfSample(sessions) ?? null;
  const { rhythm, notes } = pointsOf(sessions, from);
  const { index, ...about } = { ...loaded, rhythm, notes: [...notes, ...loaded.notes] };
  const journal = new TradeJournal(options.lots);
  const running = new Backtest({ ...trading, strategy, from, onEvent: (event) => journal.take(event) });
  const benchmarks = new Benchmarks({ ...trading, from }, { ...about, index, sessions, indexSessions });
  using testing = startProgressBar('testing', { of: 'sessions' });
  let done = 0;
  const unpredicted = (): PredictedSession[] => sessions.map((session) => ({ session }));
  for await (const { session, predictions } of signal?.sessions(sessions, from) ?? unpredicted()) {
    running.run(session, predictions);
    benchmarks.run(session, indexSessions[done]!);
    testing.update(++done, sessions.length);
  }
  testing.stop();
  const summary = summarise(running, journal, {
    ...about,
    strategy: strategy.name,
    benchmarks: benchmarks.results,
    parameters: parametersOf({ ...trading, strategy }),
    model: signal && { weights: signal.weights, trainedUntil: signal.trainedUntil },
    matching: options.lots,
  });
  if (summary.sessions === 0)
    throw new Error('there is no session to trade on: check --from, --to and TD_SOURCE');
  if (options.json) console.log(JSON.stringify(summaryJson(summary), null, 2));
  else {
    const { from, to, source, synthetic, tickers } = summary;
    console.log(`${strategy.name}, ${from} to ${to}, ${tickers.length} tickers of ${source}`);
    if (synthetic) console.log('Synthetic data, not a real market.');
    for (const note of notesOf(summary)) console.log(note);
    for (const [name, value] of figuresOf(summary)) console.log(`  ${name.padEnd(35)} ${value}`);
  }
  if (options.report !== undefined) {
    const file = resolve(options.report);
    await writeFile(file, renderReport(summary));
    console.error(`Report: ${options.report}`);
  }
}
