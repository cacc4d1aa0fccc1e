import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { Benchmarks } from '../backtest/benchmark.ts';
import { csvTable } from '../backtest/csv-table.ts';
import { parametersOf } from '../backtest/parameters.ts';
import { readableSettings } from '../backtest/readable-settings.ts';
import { hashOfSessions, loadSessions, pointsOf } from '../backtest/sessions.ts';
import { openKeptRuns } from '../backtest/sweep/kept-runs.ts';
import { gridOf, parseAxis, sampleOf, type Axis } from '../backtest/sweep/parameter-space.ts';
import { runTrials } from '../backtest/sweep/run-trials.ts';
import { namesOf, renderSweep, toldOf } from '../backtest/sweep/sweep-report.ts';
import { summariseSweep, type FailedTrial, type SweepSummary } from '../backtest/sweep/sweep-summary.ts';
import { foldsOf, parseWalkForward, splitAt, type Fold } from '../backtest/sweep/walk-forward.ts';
import { settingsWith, type Options } from './settings-with-options.ts';
import { EXIT } from './exit-codes.ts';
import { onFirstSignal } from './first-signal.ts';
import { startProgressBar } from './progress-bar.ts';
import { UsageError } from './report-failure.ts';
import { repeatableCommand } from './typed-command.ts';
import { writeWholeFile } from './whole-file.ts';
import { openOf, type TrialInput } from '../backtest/sweep/trial.ts';
import { wordList } from '../../kb/word-list.ts';

interface SweepArguments {
  readonly strategy?: string;
  readonly param: readonly string[];
  readonly random?: number;
  readonly seed: number;
  readonly from?: string;
  readonly to?: string;
  readonly tickers?: string;
  readonly split?: string;
  readonly walkForward?: string;
  readonly anchored?: true;
  readonly workers?: number;
  readonly out: string;
}

/** The share of sessions in which parameters are chosen by default; the choice is tested in the rest. */
const TRAIN_SHARE = 0.7;

/** `beleg sweep`: backtests of one strategy with many parameters, and a test of the best in other sessions. */
export async function sweep(options: SweepArguments): Promise<void> {
  const axes = readAxes(options.param);
  const replaced: Options = {
    TD_TICKERS: ['--tickers', options.tickers],
    TD_STRATEGY: ['--strategy', options.strategy],
    // A sweep has an option `--param` of its own.
    TD_STRATEGY_PARAMS: ['--param', ''],
  };
  const { market, trading } = settingsWith(replaced);
  const { own } = trading;
  if (own?.sources.length !== 1) {
    throw new UsageError(
      'beleg sweep needs one strategy of your own with parameters, like --strategy ./momentum.ts',
    );
  }
  using loading = startProgressBar('loading', { of: 'tickers' });
  const { sessions, indexSessions, tickers, index } = await loadSessions(market, {
    to: options.to ?? null,
    now: () => new Date(),
    onTicker: loading.update,
  });
  loading.stop();
  const from = options.from ?? null;
  const dates = sessions.map(({ date }) => date).filter((date) => from === null || date >= from);
  const folds = readFolds(options, dates);
  const { rhythm } = pointsOf(sessions, from);
  const grid = gridOf(axes);
  const combinations = options.random === undefined ? grid : sampleOf(grid, options.random, options.seed);
  const { policy, rules, cash, currency } = trading;
  const input = { sessions, tickers, from, policy, rules, cash, currency, source: own.sources[0]! };
  const { hash } = await checkCombinations(axes, input);

  const folder = resolve(options.out);
  await mkdir(folder, { recursive: true });
  const data = hashOfSessions(sessions);
  const settings: unknown = JSON.parse(
    JSON.stringify({ policy, rules, cash, currency }, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    ),
  );
  const kept = await openKeptRuns(join(folder, 'runs.ndjson'), { strategy: hash, data, from, settings });
  const stop = new AbortController();
  const listening = onFirstSignal(['SIGINT', 'SIGTERM'], () => stop.abort());
  try {
    const left = combinations.filter((parameters) => kept.find(parameters) === undefined);
    using running = startProgressBar('running', { of: 'runs' });
    let done = combinations.length - left.length;
    const runs = new Map(combinations.map((parameters) => [parameters, kept.find(parameters)]));
    const failed: FailedTrial[] = [];
    await runTrials(left, input, {
      workers: options.workers ?? availableParallelism(),
      signal: stop.signal,
      onTrial: async (trial, parameters) => {
        runs.set(parameters, trial);
        await kept.keep(trial);
        running.update(++done, combinations.length);
      },
      onFailure: (failure, parameters) => {
        failed.push({ parameters, failure });
        running.update(++done, combinations.length);
      },
    });
    running.stop();
    if (done < combinations.length) {
      console.error(
        `Stopped after ${done} of ${combinations.length} runs, which are kept. The same command goes on from there.`,
      );
      process.exitCode = EXIT.interrupted;
      return;
    }
    for (const { parameters, failure } of failed) console.error(`${namesOf(parameters)}: ${failure}`);
    const trials = combinations.flatMap((parameters) => runs.get(parameters) ?? []);
    if (trials.length === 0) throw new Error('the strategy failed with every combination');
    const compared = { tickers, index, rhythm, sessions, indexSessions };
    const benchmarks = new Benchmarks({ ...trading, from }, compared);
    for (const [at, session] of sessions.entries()) benchmarks.run(session, indexSessions[at]!);
    const { perYear } = rhythm;
    const summary = summariseSweep({
      axes,
      trials,
      dates,
      folds,
      perYear,
      benchmarks: benchmarks.results,
      failed: failed.sort((a, b) => combinations.indexOf(a.parameters) - combinations.indexOf(b.parameters)),
    });
    for (const sentence of toldOf(summary)) console.log(sentence);
    await Promise.all([
      writeWholeFile(join(folder, 'sweep.csv'), tableOf(summary)),
      writeWholeFile(join(folder, 'sweep.json'), `${JSON.stringify(summary, null, 2)}\n`),
      writeWholeFile(
        join(folder, 'sweep.html'),
        renderSweep(summary, {
          strategy: own.sources[0]!.name,
          hash,
          command: repeatableCommand(replaced),
          data,
          made: new Date().toISOString().slice(0, 10),
          settings: readableSettings({
            parameters: parametersOf({ ...trading, strategy: { parameters: {} } }),
            currency,
          }),
        }),
      ),
    ]);
    console.error(`Written to ${options.out}: sweep.html, sweep.csv, sweep.json`);
    if (failed.length > 0) process.exitCode = EXIT.failure;
  } finally {
    listening();
    await kept.close();
  }
}

function readAxes(texts: readonly string[]): Axis[] {
  try {
    const axes = texts.map(parseAxis);
    const names = axes.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw new RangeError(`--param names ${twice} twice`);
    return axes;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/** By default there is one fold, because a choice is always tested in sessions that were not used for it. */
function readFolds({ split, walkForward, anchored }: SweepArguments, dates: readonly string[]): Fold[] {
  if (walkForward !== undefined) {
    const folds = foldsOf(dates, walkForwardOf(walkForward, anchored ?? false));
    if (folds.length > 0) return folds;
    throw new UsageError(
      `--walk-forward ${walkForward} needs more sessions than those from ${dates[0]} to ${dates.at(-1)}`,
    );
  }
  const day = split ?? dates[Math.floor(dates.length * TRAIN_SHARE)] ?? '';
  const fold = splitAt(dates, day);
  if (fold !== null) return [fold];
  throw new UsageError(
    dates.length < 2
      ? 'there are too few sessions to choose and to test: check --from, --to and TD_SOURCE'
      : `--split ${day} leaves nothing on one of its sides: the sessions are from ${dates[0]} to ${dates.at(-1)}`,
  );
}

function walkForwardOf(text: string, anchored: boolean): ReturnType<typeof parseWalkForward> {
  try {
    return parseWalkForward(text, anchored);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** Checks the smallest and the largest value of each parameter, which covers those between. Returns a hash. */
async function checkCombinations(
  axes: readonly Axis[],
  input: TrialInput,
): Promise<{ readonly hash: string }> {
  const ends = [Math.min, Math.max].map((end) =>
    Object.fromEntries(axes.map(({ name, values }) => [name, end(...values)])),
  );
  let hash = '';
  for (const parameters of ends) {
    const strategy = await openOf(parameters, input);
    await strategy.close();
    hash = strategy.hash;
    if (strategy.usesPredictions) {
      throw new UsageError(
        'beleg sweep does not train a model for each run, so it takes no strategy that uses predictions; test it with beleg backtest',
      );
    }
  }
  return { hash };
}

/** One row for each run, parameters first. */
function tableOf({ axes, trials }: SweepSummary): string {
  const rows = trials.map(({ parameters, ...figures }) => ({ ...parameters, ...figures }));
  const figures = wordList('totalReturn annualVolatility maxDrawdown sharpe trainSharpe testSharpe trades');
  return csvTable([...axes.map(({ name }) => name), ...figures], rows);
}
