import { renderCells, renderEquity } from '../charts.ts';
import { VERSION } from '../../foundation/version.ts';
import { escapeHtml as escape } from '../../foundation/escape-html.ts';
import { amount, percent, ratio } from '../format.ts';
import type { Performance } from '../performance.ts';
import { legend, reportPage, table } from '../report-page.ts';
import type { Axis } from './parameter-space.ts';
import type { SweepSummary } from './sweep-summary.ts';

/** The result of a sweep in sentences, in reading order. */
export function toldOf({
  runs,
  folds,
  outOfSample,
  deflatedSharpe,
  overfitting,
  overfittingOfAll,
  neighbours,
  failed,
  idle,
}: SweepSummary): string[] {
  const first = folds[0]!;
  const ranks = folds.map(({ rank }) => rank);
  const choice = folds.length === 1 ? 'choice' : 'first choice';
  return [
    ...(folds.length === 1
      ? [
          `Best of ${amount(runs, 0)} runs from ${first.train.from} to ${first.train.to}: ${namesOf(first.parameters)}, ` +
            `with a Sharpe ratio of ${ratio(first.sharpe.train)}.`,
          `After that, from ${first.test.from} to ${first.test.to}: a return of ${percent(outOfSample.totalReturn)} and a Sharpe ` +
            `ratio of ${ratio(first.sharpe.test)}, ` +
            `place ${amount(first.rank, 0)} of ${amount(runs, 0)} (1 is the best).`,
        ]
      : [
          `${folds.length} times the run with the best Sharpe ratio in the time before was chosen among ${amount(runs, 0)}, and used until the next ` +
            `choice, so that no choice knew the sessions that it was used in. These sessions together, from ${first.test.from} to ` +
            `${folds.at(-1)!.test.to}: a return of ${percent(outOfSample.totalReturn)} and a Sharpe ratio of ${ratio(outOfSample.sharpe)}.`,
          `In the sessions that they were used in, the choices came in place ${amount(Math.min(...ranks), 0)} to ` +
            `${amount(Math.max(...ranks), 0)} of ${amount(runs, 0)} (1 is the best).`,
        ]),
    ...(outOfSample.benchmarks.length === 0
      ? []
      : [
          `In the same sessions ${outOfSample.benchmarks
            .map(
              ({ name, totalReturn, sharpe }) =>
                `“${name}” came to a return of ${percent(totalReturn)} and a Sharpe ratio of ${ratio(sharpe)}`,
            )
            .join(', ')}.`,
        ]),
    `Deflated Sharpe ratio of the ${choice} ${ratio(deflatedSharpe)}: ${
      deflatedSharpe > CONVINCING
        ? 'the best of so many runs without any edge would rarely look as good.'
        : 'the best of so many runs without any edge may look as good. This is no evidence.'
    }`,
    overfitting === null && overfittingOfAll === null
      ? 'Too few runs or sessions to say how probable overfitting is.'
      : `Probability of overfitting ${percent(overfitting)} in the time of the ${choice}, ` +
        `${percent(overfittingOfAll)} over all sessions, those of the test among them: so often the best of one half of the time was below ` +
        'the middle in the other.',
    ...(neighbours.length === 0
      ? []
      : [
          `One step away from the ${choice} the Sharpe ratio is, with ${neighbours
            .map(({ parameters, sharpe }) => `${namesOf(parameters)}: ${ratio(sharpe)}`)
            .join(', ')} instead of ${ratio(first.sharpe.train)}.`,
        ]),
    ...(failed.length === 0
      ? []
      : [
          `The strategy failed with ${amount(failed.length, 0)} further combinations, which are left out; the first is ` +
            `${namesOf(failed[0]!.parameters)}: ${failed[0]!.failure}.`,
        ]),
    ...(idle.length === 0
      ? []
      : [
          `${amount(idle.length, 0)} further combinations never held anything and are in no figure above; the first is ` +
            `${namesOf(idle[0]!)}.`,
        ]),
    'No run has cash from outside, and all these Sharpe ratios are without the risk-free rate.',
  ];
}

/** The deflated Sharpe ratio from which on a result is taken for evidence. (Bailey and López de Prado, 2014) */
const CONVINCING = 0.95;

export const namesOf = (parameters: Readonly<Record<string, number>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

interface AboutSweep {
  readonly strategy: string;
  /** SHA-256 of the strategy's files. */
  readonly hash: string;
  readonly command: string;
  /** SHA-256 of the sessions. */
  readonly data: string;
  /** The day on which the page is made. */
  readonly made: string;
  /** The settings that all runs have in common. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** The most runs that the page lists. */
const LISTED_RUNS = 200;

/** One file without a script, like the report of a backtest. */
export function renderSweep(
  summary: SweepSummary,
  { strategy, hash, command, data, made, settings }: AboutSweep,
): string {
  const title = `Sweep: ${strategy}, ${summary.from} to ${summary.to}`;
  const { outOfSample, folds } = summary;
  const start = { session: folds[0]!.train.to, value: 1 };
  const curves = [{ name: 'out of sample', equity: outOfSample.equity }, ...outOfSample.benchmarks].map(
    ({ name, equity }) => ({
      name,
      points: [start, ...equity.map((value, at) => ({ session: outOfSample.dates[at]!, value }))],
    }),
  );
  return reportPage(
    title,
    `<h1>Sweep: ${escape(strategy)}, <span class="day">${summary.from}</span> to <span class="day">${summary.to}</span></h1>
${toldOf(summary)
  .map((sentence) => `<p>${escape(sentence)}</p>`)
  .join('\n')}
<h2>Out of sample: what became of 1</h2>
<p>In the sessions that were not used to choose. Moving from one choice to the next costs nothing here; within a run all fees and slippage are counted.</p>
${legend(curves)}${renderEquity(curves, { label: 'What became of 1', format: ratio })}
${outsideTable(summary)}
<h2>Choices</h2>
${table(
  'Choices',
  '<th>Chosen in<th>Parameters<th>Sharpe<th>Used in<th>Sharpe<th>Place',
  folds.map(
    ({ train, test, parameters, sharpe, rank }) =>
      `<tr><td>${train.from} to ${train.to}<td>${escape(namesOf(parameters))}<td>${ratio(sharpe.train)}` +
      `<td>${test.from} to ${test.to}<td>${ratio(sharpe.test)}<td>${amount(rank, 0)} of ${amount(summary.runs, 0)}`,
  ),
  'choices',
)}
${heatMap(summary)}
${runsTable(summary)}
${failedList(summary)}
<h2>To repeat it</h2>
<pre>${escape(command)}</pre>
<p>Made on <span class="day">${made}</span> by beleg ${escape(VERSION)}. Data: SHA-256 <code>${data}</code>. ${escape(strategy)}: SHA-256 <code>${hash}</code></p>
<h2>Settings of all runs</h2>
${table(
  'Settings',
  '<th>Setting<th>Value',
  settings.map(([name, value]) => `<tr><th scope="row">${escape(name)}<td>${escape(value)}`),
  'settings',
)}`,
  );
}

const OUTSIDE = [
  ['Total return', (of: Performance) => percent(of.totalReturn)],
  ['Annual return', (of: Performance) => percent(of.annualReturn)],
  ['Annual volatility', (of: Performance) => percent(of.annualVolatility)],
  ['Maximum drawdown', (of: Performance) => percent(of.maxDrawdown)],
  ['Sharpe', (of: Performance) => ratio(of.sharpe)],
] as const;

/** A table of the choices and the benchmarks over the test sessions. */
function outsideTable({ outOfSample }: SweepSummary): string {
  const all = [outOfSample, ...outOfSample.benchmarks];
  return table(
    'Out of sample',
    `<th>Figure<th>Out of sample${outOfSample.benchmarks.map(({ name }) => `<th>${escape(name)}`).join('')}`,
    OUTSIDE.map(([name, of]) => `<tr><th scope="row">${name}${all.map((one) => `<td>${of(one)}`).join('')}`),
    'compared',
  );
}

/** The best runs by their Sharpe ratio where the first choice is made, the highest first, at most `LISTED_RUNS`. */
function runsTable({ trials, runs }: SweepSummary): string {
  const listed = trials.toSorted((a, b) => b.trainSharpe - a.trainSharpe).slice(0, LISTED_RUNS);
  const rows = listed.map(
    (of) =>
      `<tr><td>${escape(namesOf(of.parameters))}<td>${ratio(of.trainSharpe)}<td>${ratio(of.testSharpe)}` +
      `<td>${percent(of.totalReturn)}<td>${percent(of.maxDrawdown)}<td>${amount(of.trades, 0)}`,
  );
  const heads =
    '<th>Parameters<th>Sharpe, first choice<th>Sharpe, its test<th>Total return, all sessions<th>Maximum drawdown, all sessions<th>Trades, all sessions';
  const more =
    runs > listed.length ? `<p>The best ${LISTED_RUNS} of ${amount(runs, 0)}; sweep.csv has all.</p>` : '';
  return `<h2>Runs</h2>${more}
${table('Runs', heads, rows, 'runs')}`;
}

function failedList({ failed }: SweepSummary): string {
  if (failed.length === 0) return '';
  const lines = failed.map(
    ({ parameters, failure }) => `<li>${escape(`${namesOf(parameters)}: ${failure}`)}`,
  );
  return `<h2>Left out, because the strategy failed</h2><ul>${lines.join('\n')}</ul>`;
}

/** The mean Sharpe ratio for the two parameters with the most values, over all others, in the first training. */
function heatMap({ axes, trials }: SweepSummary): string {
  const [one, other] = axes.filter(({ values }) => values.length > 1).sort(byValues);
  if (one === undefined || other === undefined) return '';
  const groups = Map.groupBy(trials, ({ parameters }) => `${parameters[one.name]} ${parameters[other.name]}`);
  const cells = [...groups.values()].map((group) => ({
    x: group[0]!.parameters[one.name]!,
    y: group[0]!.parameters[other.name]!,
    value: group.reduce((sum, { trainSharpe }) => sum + trainSharpe, 0) / group.length,
  }));
  return `<h2>Sharpe ratio by ${escape(one.name)} and ${escape(other.name)}</h2>
<p>In the time of the first choice; the mean over all other parameters. A best value on a plateau can be believed sooner than a spike.</p>
${renderCells(cells, { x: one.name, y: other.name, format: ratio })}`;
}

const byValues = (a: Axis, b: Axis): number => b.values.length - a.values.length;
