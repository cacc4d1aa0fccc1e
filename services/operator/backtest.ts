import { join, resolve } from 'node:path';
import { createStrategy } from '../../actors/strategy/strategies.ts';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import type { Matching } from '../../actors/trading/lots.ts';
import type { PredictedSession } from '../backtest/predicted-sessions.ts';
import { Benchmarks } from '../backtest/benchmark.ts';
import { assertWithin, readCashFlows } from '../backtest/cash-flows.ts';
import { parametersOf } from '../backtest/parameters.ts';
import { comparedFigures, figuresOf, verdictsOf } from '../backtest/figures.ts';
import { isLookAhead, shownNotes } from '../backtest/shown-notes.ts';
import { areDetails, foldNotes, inOneLine, notesOf } from '../backtest/notes.ts';
import { KEPT_REPORTS, keepReport } from '../backtest/kept-reports.ts';
import { summaryJson } from '../backtest/result-json.ts';
import { Backtest } from '../backtest/run-backtest.ts';
import { dataNotes, hashOfSessions, loadSessions, pointsOf } from '../backtest/sessions.ts';
import { summarise, type BacktestSummary } from '../backtest/summary.ts';
import { closeAll, openAll } from '../strategies/open-all.ts';
import type { Opened } from '../strategies/run-own-strategies.ts';
import type { OwnSettings } from '../trading/settings.ts';
import { loadSignalModel } from './backtest-model.ts';
import { EXIT } from './exit-codes.ts';
import { UsageError } from './report-failure.ts';
import { settingsWith, type Options } from './settings-with-options.ts';
import { startProgressBar } from './progress-bar.ts';
import { repeatableCommand } from './typed-command.ts';
import { writeWholeFile } from './whole-file.ts';

interface BacktestArguments {
  readonly strategy?: string;
  readonly param?: readonly string[];
  readonly weights?: string;
  readonly from?: string;
  readonly to?: string;
  readonly tickers?: string;
  readonly lots: Matching;
  readonly report?: string;
  readonly out?: string;
  readonly cash?: string;
  readonly json?: true;
  readonly schema?: true;
}

/** `beleg backtest`: runs account, broker and fees of the settings over stored bars; keeps only the report. */
export async function backtest(options: BacktestArguments): Promise<void> {
  if (options.schema) {
    const { resultSchema } = await import('../backtest/result-schema.ts');
    console.log(JSON.stringify(resultSchema(), null, 2));
    return;
  }
  const replaced: Options = {
    TD_TICKERS: ['--tickers', options.tickers],
    TD_STRATEGY: ['--strategy', options.strategy],
    TD_STRATEGY_PARAMS: ['--param', options.param?.join(',')],
  };
  const { market, trading, model, dashboard } = settingsWith(replaced);
  const builtIn = createStrategy(trading.strategy);
  if (options.param !== undefined && trading.own === undefined) {
    throw new UsageError(
      `--param only works with a strategy of your own; ${builtIn.name} has no parameters to set`,
    );
  }
  const tickers = new Set<string>();
  const opened = trading.own === undefined ? [] : await openOwn(trading.own, tickers);
  // The processes of strategies would keep this process alive after a fault.
  await using strategies = new AsyncDisposableStack();
  strategies.defer(() => closeAll(opened));
  const strategy = shownOf(builtIn, opened);
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
  const traded = sessions.filter(({ date }) => from === null || date >= from);
  const flows = options.cash === undefined ? [] : await readCashFlows(options.cash);
  if (traded.length > 0) assertWithin(flows, traded[0]!.date, traded.at(-1)!.date);
  const { warnings, index, ...found } = loaded;
  const ofData = dataNotes({ notes: found.notes, warnings }, from);
  const said = [...(opened.length === 0 ? [] : shownNotes(sessions)), ...notes, ...ofData.notes];
  const about = { ...found, rhythm, notes: said, earlierNotes: ofData.earlier };
  for (const ticker of about.tickers) tickers.add(ticker);
  const running = new Backtest({
    ...trading,
    strategy: builtIn,
    strategies: opened,
    from,
    matching: options.lots,
    eachHolding: options.out !== undefined,
    flows,
  });
  const benchmarks = new Benchmarks({ ...trading, from }, { ...about, index, sessions, indexSessions });
  using testing = startProgressBar('testing', { of: 'sessions' });
  let done = 0;
  const unpredicted = (): PredictedSession[] => sessions.map((session) => ({ session }));
  for await (const { session, predictions } of signal?.sessions(sessions, from) ?? unpredicted()) {
    if (opened.length === 0) running.run(session, predictions);
    else await running.runOwn(session, predictions);
    benchmarks.run(session, indexSessions[done]!);
    testing.update(++done, sessions.length);
  }
  testing.stop();
  const summary = summarise(running, {
    ...about,
    strategy: strategy.name,
    benchmarks: benchmarks.results,
    parameters: parametersOf({ ...trading, strategy }),
    model: signal && { weights: signal.weights, trainedUntil: signal.trainedUntil },
    data: hashOfSessions(sessions),
    command: repeatableCommand(replaced),
  });
  if (summary.sessions === 0)
    throw new Error('there is no session to trade on: check --from, --to and TD_SOURCE');
  if (options.out !== undefined) {
    const { writeResult } = await import('../backtest/result-files.ts');
    const files = await writeResult(resolve(options.out), { summary, history: running.history });
    console.error(`Written to ${options.out}: ${files.join(', ')}`);
  }
  const { renderReport } = await import('../backtest/html-report.ts');
  const html = renderReport(summary, { sessions, made: new Date().toISOString().slice(0, 10) });
  if (options.report !== undefined) {
    await writeWholeFile(options.report, html);
    console.error(`Report: ${options.report}`);
  }
  await keep(dashboard.reports, html, summary);
  // Printed last, because the command ends if the reader of its output ends, as with `| head`.
  if (options.json) console.log(JSON.stringify(summaryJson(summary), null, 2));
  else print(summary);
  if (summary.strategiesHalted.length > 0) process.exitCode = EXIT.failure;
}

/** If the folder cannot be written to, the command warns and still prints the result. */
async function keep(folder: string, html: string, summary: BacktestSummary): Promise<void> {
  try {
    const id = await keepReport(folder, { html, summary, now: new Date() });
    console.error(`Kept as ${join(folder, `${id}.html`)}, one of the last ${KEPT_REPORTS}`);
  } catch (error) {
    console.error(`The report could not be kept in ${folder}: ${(error as Error).message}`);
  }
}

/** The width of a terminal column, for the longest name of a figure. */
const NAME_WIDTH = 35;
const FIGURE_WIDTH = 14;

function print(summary: BacktestSummary): void {
  const { strategy, from, to, source, synthetic, tickers, benchmarks } = summary;
  console.log(`${strategy}, ${from} to ${to}, ${tickers.length} tickers of ${source}`);
  if (synthetic) console.log('Synthetic data, not a real market.');
  // A look-ahead is shown first, because it makes the verdicts meaningless.
  const { lookAhead = [], other = [] } = Object.groupBy(notesOf(summary), (note) =>
    isLookAhead(note) ? 'lookAhead' : 'other',
  );
  for (const sentence of [...lookAhead, ...verdictsOf(summary)]) console.log(sentence);
  for (const of of foldNotes(other, tickers)) {
    for (const line of areDetails(of) ? [of.first, ...of.more] : [inOneLine(of)]) console.log(line);
  }
  if (summary.earlierNotes.length > 0) {
    console.log(
      `Notes on data that concern only days before the test: ${summary.earlierNotes.length} (the report and --json have them)`,
    );
  }
  row('', [strategy, ...benchmarks.flatMap((_, at) => [`benchmark ${at + 1}`, 'difference'])]);
  for (const { name, strategy: own, benchmarks: others } of comparedFigures(summary)) {
    row(name, [own, ...others.flatMap(({ value, difference }) => [value, difference])]);
  }
  for (const [at, { name }] of benchmarks.entries()) console.log(`  Benchmark ${at + 1} is “${name}”.`);
  for (const [name, value] of figuresOf(summary)) console.log(`  ${name.padEnd(NAME_WIDTH)} ${value}`);
}

function row(name: string, cells: readonly string[]): void {
  const columns = cells.map((cell) => cell.padStart(FIGURE_WIDTH));
  console.log(`  ${name.padEnd(NAME_WIDTH)} ${columns.join(' ')}`);
}

/** Opens own strategies, whose output goes to standard error. If one cannot be loaded, the command ends. */
async function openOwn(
  { sources, parameters }: OwnSettings,
  tickers: ReadonlySet<string>,
): Promise<readonly Opened[]> {
  const opened = await openAll(sources, {
    parameters,
    hasTicker: (ticker) => tickers.has(ticker),
    onPrinted: (_, line) => console.error(line),
  });
  const faults = opened.flatMap((one) => ('fault' in one ? [one.fault.told] : []));
  if (faults.length === 0) return opened;
  await closeAll(opened);
  throw new Error(faults.join('; '));
}

/** A strategy in the form of the result. */
function shownOf(
  builtIn: Pick<Strategy, 'name' | 'parameters' | 'usesPredictions'>,
  opened: readonly Opened[],
) {
  const own = opened.flatMap((one) => ('strategy' in one ? [one.strategy] : []));
  const [first] = own;
  if (first === undefined)
    return { ...builtIn, parameters: builtIn.parameters as Readonly<Record<string, unknown>> };
  return {
    name: own.map(({ name }) => name).join(','),
    parameters:
      own.length === 1
        ? first.parameters
        : Object.fromEntries(own.map(({ name, parameters }) => [name, parameters])),
    usesPredictions: own.some(({ usesPredictions }) => usesPredictions),
  };
}
