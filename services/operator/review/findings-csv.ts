import { stringify } from 'csv-stringify/sync';
import { inert } from '../spreadsheet-cell.ts';
import { countsOf, openOf, remarksOf, sayResult, type RunReport } from './run-report.ts';

/** A text that no spreadsheet takes for a formula. Negative numbers stay numbers. */
const harmless = (text: string): string => (/^-\d[\d.,]*$/u.test(text) ? text : inert(text, ';'));

/** The kind of a row. */
type Kind = 'Lauf' | 'Befund' | 'Nicht geprüft' | 'Ohne Befund';
type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string | number>>> & { readonly Art: Kind };

const COLUMNS = [
  'Zeile',
  'Art',
  'Geprüft',
  'Angaben',
  'Spalte',
  'Angegeben',
  'Richtig',
  'Abweichung',
  'Befund',
  'Quellen',
  'Änderungen',
] as const;

/**
 * The content of the report page as CSV for Excel in German: semicolons, a byte-order mark, decimal commas, amounts
 * without a currency sign. `Art` is the kind of a row: the run as a whole (result, law, new and missing persons), a
 * finding, a value that was not checked with the reason, or a slip without findings.
 */
export function findingsCsv(report: RunReport): string {
  const { slips, law, changes, nameOf, titleOf } = report;
  const cited = (source: string): string => (source === '' ? '' : `${source}: ${titleOf(source)}`);
  const ofRun: Row[] = [
    ...[sayResult(report), ...remarksOf(report)].map((text): Row => ({
      Art: 'Lauf',
      Befund: harmless(text),
    })),
    ...law.map(({ text, source }): Row => ({ Art: 'Lauf', Befund: harmless(text), Quellen: cited(source) })),
  ];
  const ofSlips = slips.flatMap((slip): Row[] => {
    const { checked, of } = countsOf(slip);
    const own = { Zeile: slip.row.line, Geprüft: checked, Angaben: of };
    const changed = harmless((changes.get(slip) ?? []).join('; '));
    const findings = slip.findings.map(({ key, given, right, amounts, off, detail, sources }): Row => ({
      ...own,
      Art: 'Befund',
      Spalte: harmless(nameOf(key)),
      Angegeben: harmless(amounts?.given ?? given),
      Richtig: amounts?.right ?? right,
      Abweichung: off ?? '',
      Befund: detail,
      Quellen: sources.map(cited).join('; '),
      Änderungen: changed,
    }));
    const fine: Row[] = findings.length > 0 ? [] : [{ ...own, Art: 'Ohne Befund', Änderungen: changed }];
    return [
      ...findings,
      ...fine,
      ...openOf(slip).map(({ fact, reason }): Row => ({
        ...own,
        Art: 'Nicht geprüft',
        Spalte: harmless(nameOf(fact)),
        Befund: harmless(reason),
      })),
    ];
  });
  return stringify([...ofRun, ...ofSlips], {
    header: true,
    columns: [...COLUMNS],
    delimiter: ';',
    bom: true,
    record_delimiter: 'windows',
  });
}
