import { stringify } from 'csv-stringify/sync';
import { inert } from '../spreadsheet-cell.ts';
import type { RunReport } from './run-report.ts';

/** A text that a spreadsheet does not take for a formula; a number stays one. */
const harmless = (text: string): string => (/^-\d[\d.,]*$/u.test(text) ? text : inert(text, ';'));

/**
 * The findings as Excel in German opens them: semicolons, a mark of UTF-8, decimal commas. One row for each finding; a slip
 * without findings also has a row.
 */
export function findingsCsv({ slips, changes, nameOf, titleOf }: RunReport): string {
  const rows = slips.flatMap((slip) => {
    const own = { Zeile: slip.row.line, Geprüft: slip.checked, Angaben: slip.of };
    const changed = harmless((changes.get(slip) ?? []).join('; '));
    if (slip.findings.length === 0) return [{ ...own, Änderungen: changed }];
    return slip.findings.map(({ key, given, right, off, detail, sources }) => ({
      ...own,
      Spalte: harmless(nameOf(key)),
      Angegeben: harmless(given),
      Richtig: right,
      Abweichung: off ?? '',
      Befund: detail,
      Quellen: sources.map((source) => `${source}: ${titleOf(source)}`).join('; '),
      Änderungen: changed,
    }));
  });
  return stringify(rows, {
    header: true,
    columns: [
      'Zeile',
      'Geprüft',
      'Angaben',
      'Spalte',
      'Angegeben',
      'Richtig',
      'Abweichung',
      'Befund',
      'Quellen',
      'Änderungen',
    ],
    delimiter: ';',
    bom: true,
    record_delimiter: 'windows',
  });
}
