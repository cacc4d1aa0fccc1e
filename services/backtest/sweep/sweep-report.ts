import { renderCells, renderEquity } from '../charts.ts';
import { escapeHtml as escape } from '../../foundation/escape-html.ts';
import { amount, percent, ratio } from '../format.ts';
import { REPORT_STYLE, table } from '../report-page.ts';
import type { Axis } from './parameter-space.ts';
import type { SweepSummary } from './sweep-summary.ts';

/** The result of a sweep in sentences, in reading order. */
export function toldOf({
  runs,
  folds,
  outOfSample,
  deflatedSharpe,
  overfitting,
  neighbours,
}: SweepSummary): string[] {
  const first = folds[0]!;
  const ranks = folds.map(({ rank }) => rank);
  return [
    ...(folds.length === 1
      ? [
          `Best of ${amount(runs, 0)} runs from ${first.train.from} to ${first.train.to}: ${namesOf(first.parameters)}, ` +
            `with a Sharpe ratio of ${ratio(first.sharpe.train)}.`,
          `After that, from ${first.test.from} to ${first.test.to}: a Sharpe ratio of ${ratio(first.sharpe.test)}, ` +
            `place ${amount(first.rank, 0)} of ${amount(runs, 0)}.`,
        ]
      : [
          `${folds.length} times the best of ${amount(runs, 0)} runs was chosen, and used from then on until the next choice: ` +
            `from ${first.test.from} to ${folds.at(-1)!.test.to} a return of ${percent(outOfSample.totalReturn)} and a Sharpe ratio ` +
            `of ${ratio(outOfSample.sharpe)}. Its place among all, afterwards: ${amount(Math.min(...ranks), 0)} to ${amount(Math.max(...ranks), 0)}.`,
        ]),
    `Deflated Sharpe ratio ${ratio(deflatedSharpe)}: ${
      deflatedSharpe > CONVINCING
        ? 'the best of so many runs without any edge would rarely look as good.'
        : 'the best of so many runs without any edge may look as good. This is no evidence.'
    }`,
    overfitting === null
      ? 'Too few runs or sessions to say how probable overfitting is.'
      : `Probability of overfitting ${percent(overfitting)}: so often the best of one half of the time was below the middle in the other.`,
    ...(neighbours.length === 0
      ? []
      : [
          `One step away from the choice the Sharpe ratio is ${neighbours.map(({ sharpe }) => ratio(sharpe)).join(', ')} instead of ${ratio(first.sharpe.train)}.`,
        ]),
    'No run has cash from outside, and all these Sharpe ratios are without the risk-free rate.',
  ];
}

/** The deflated Sharpe ratio from which on a result is taken for evidence. (Bailey and López de Prado, 2014) */
const CONVINCING = 0.95;

const namesOf = (parameters: Readonly<Record<string, number>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** One file without a script, like the report of a backtest. */
export function renderSweep(
  summary: SweepSummary,
  { strategy, command }: { readonly strategy: string; readonly command: string },
): string {
  const title = `Sweep: ${strategy}, ${summary.from} to ${summary.to}`;
  const { outOfSample, folds } = summary;
  const start = { session: folds[0]!.train.to, value: 1 };
  const points = outOfSample.equity.map((value, at) => ({ session: outOfSample.dates[at]!, value }));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${REPORT_STYLE}</style>
<main>
<h1>${escape(title)}</h1>
${toldOf(summary)
  .map((sentence) => `<p>${escape(sentence)}</p>`)
  .join('\n')}
<h2>Out of sample: what became of 1</h2>
<p>Moving from one choice to the next costs nothing here; within a run all fees and slippage are counted.</p>
${renderEquity([{ name: 'out of sample', points: [start, ...points] }], '')}
<h2>Choices</h2>
${table(
  'Choices',
  '<th>Chosen in<th>Parameters<th>Sharpe<th>Used in<th>Sharpe<th>Place',
  folds.map(
    ({ train, test, parameters, sharpe, rank }) =>
      `<tr><td>${train.from} to ${train.to}<td>${escape(namesOf(parameters))}<td>${ratio(sharpe.train)}` +
      `<td>${test.from} to ${test.to}<td>${ratio(sharpe.test)}<td>${amount(rank, 0)}`,
  ),
  'choices',
)}
${heatMap(summary)}
<h2>To repeat it</h2>
<pre>${escape(command)}</pre>
</main>
</html>
`;
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
