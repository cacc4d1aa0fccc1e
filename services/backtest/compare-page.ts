import { escapeHtml as escape } from '../foundation/escape-html.ts';
import { MOST_CURVES, renderDrawdown, renderEquity, type Curve } from './charts.ts';
import { withoutFlows } from './periods.ts';
import { legend, reportPage, table } from './report-page.ts';
import type { BacktestResult } from './result-schema.ts';

export interface ComparedResults {
  /** The name of each result. */
  readonly names: readonly string[];
  readonly results: readonly BacktestResult[];
  /** A row for each figure: its name, then its value in each result. */
  readonly figures: readonly (readonly string[])[];
  /** One row for each parameter that differs. */
  readonly parameters: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** Several results as one page without scripts: figures, curves, and differences. */
export function renderComparison({ names, results, figures, parameters, notes }: ComparedResults): string {
  const curves = results.slice(0, MOST_CURVES).map((result, at): Curve => {
    const first = { session: result.from ?? '', value: result.initial };
    return { name: names[at]!, points: withoutFlows([first, ...result.equity]) };
  });
  const rowsOf = (rows: ComparedResults['figures']): string[] =>
    rows.map(
      ([name = '', ...cells]) =>
        `<tr><th scope="row">${escape(name)}${cells.map((cell) => `<td>${worded(cell)}`).join('')}`,
    );
  const heads = names.map((name) => `<th>${escape(name)}`).join('');
  const more = results.length - curves.length;
  const currency = results[0]?.currency ?? '';
  return reportPage(
    `Backtests compared: ${names.join(', ')}`,
    `<h1>Backtests compared</h1>
${notes.map((note) => `<p><strong>${escape(note)}</strong></p>`).join('\n')}
${table('Figures', `<th>Figure${heads}`, rowsOf(figures), 'compared')}
<h2>What differs in the parameters</h2>
${parameters.length === 0 ? '<p>Nothing.</p>' : table('Parameters', `<th>Parameter${heads}`, rowsOf(parameters), 'compared')}
<h2>Account value</h2>
${legend(curves)}${renderEquity(curves, { label: `Account value, ${currency}` })}
<h2>Drawdown</h2>
${renderDrawdown(curves)}
${more > 0 ? `<p>${more} more are not drawn.</p>` : ''}`,
  );
}

/** Several names in one cell may stand below one another, so that the other cells stay wide. */
const worded = (cell: string): string =>
  /, \D/.test(cell) ? `<span class="words">${escape(cell)}</span>` : escape(cell);
