import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { loadKnowledgeBase } from '../../../kb/base/load.ts';
import { readSettings } from '../../composition/settings.ts';
import { EXIT } from '../exit-codes.ts';
import { writeNewFile } from '../new-file.ts';
import { startProgressBar } from '../progress-bar.ts';
import { printable } from '../terminal.ts';
import { changedFigures, checkSlip, worstFirst, type CheckedSlip } from './check-run.ts';
import { keysFileOf, readKeys, readPayroll } from './payroll-file.ts';
import { reportPage } from './report-page.ts';

interface RunOptions {
  readonly kb?: string;
  readonly before?: string;
  readonly keys?: string;
  readonly csv?: string;
  readonly html?: string;
}

/** `beleg review run FILE`: checks a payroll run on this machine; nothing is sent or kept. */
export async function reviewRun(file: string, options: RunOptions): Promise<void> {
  const { review: base } = await loadKnowledgeBase(options.kb ?? readSettings(process.env).kbPath);
  const mapping = await readKeys(options.keys ?? keysFileOf(file));
  const run = await readPayroll(file, base, mapping);
  const before = options.before === undefined ? null : await readPayroll(options.before, base, mapping);
  const slips: CheckedSlip[] = [];
  {
    using bar = startProgressBar('Checking', { of: 'slips' });
    for (const [at, row] of run.rows.entries()) {
      slips.push(checkSlip(row, before?.rows[at], at + 1, base));
      bar.update(at + 1, run.rows.length);
      if (at % 20 === 0) await nextTurn();
    }
  }
  const sorted = worstFirst(slips);
  const law = before === null ? [] : changedFigures(run, before, base);
  const wrong = sorted.filter(({ warnings }) => warnings.length > 0);
  const lines = [
    `${wrong.length} von ${slips.length} Abrechnungen beanstandet.`,
    ...(run.left.length === 0 ? [] : [`Nicht gelesen: ${run.left.join(', ')}.`]),
    ...law.map((change) => `Geändertes Recht: ${change}`),
    ...wrong.flatMap(({ row, warnings, checked, of, changes }) => [
      '',
      `Zeile ${row}: ${checked} von ${of} Angaben geprüft.`,
      ...warnings.map(({ aspect, detail }) => `⚠ ${aspect}: ${detail}`),
      ...(changes.length === 0 ? [] : [`Gegenüber dem Vormonat: ${changes.join('; ')}`]),
    ]),
  ];
  console.log(lines.map((line) => printable(line)).join('\n'));
  if (options.csv !== undefined) await writeNewFile(options.csv, stringify(rowsOf(sorted), { header: true }));
  if (options.html !== undefined) await writeNewFile(options.html, reportPage(sorted, law));
  if (wrong.length > 0) process.exitCode = EXIT.failure;
}

/** One row for each warning; a slip without warnings also has a row. */
const rowsOf = (slips: readonly CheckedSlip[]): Record<string, string | number>[] =>
  slips.flatMap(({ row, warnings, checked, of, changes }) =>
    (warnings.length === 0 ? [{ aspect: '', detail: '' }] : warnings).map(({ aspect, detail }) => ({
      row,
      checked,
      of,
      fact: aspect,
      finding: detail,
      changes: changes.join('; '),
    })),
  );
