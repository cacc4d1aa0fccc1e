import { readingsOf } from '../../../kb/review/vocabulary.ts';
import { readAmount } from '../../../kb/review/read-value.ts';
import { equal } from '../../../kb/review/rational.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import { UsageError } from '../report-failure.ts';
import type { ChangedLaw } from './changed-law.ts';
import type { CheckedSlip } from './check-run.ts';
import { sayLines, saySlips } from './line-list.ts';
import type { PayrollFile } from './payroll-file.ts';
import { mayIdentify } from './person-columns.ts';
import type { SlipRow } from './slip-row.ts';

/** The pairs of slips of one person in two runs, and remarks on how they were found. */
export interface Pairs {
  readonly before: ReadonlyMap<SlipRow, SlipRow>;
  readonly remarks: readonly string[];
}

/**
 * Pairs slips with the same person in the chosen column. A person with several slips is not compared.
 *
 * @throws {UsageError} if no person is in both runs, in German.
 */
export function pairByPerson(run: PayrollFile, before: PayrollFile): Pairs {
  const now = Map.groupBy(run.rows, ({ person }) => person ?? '');
  const then = Map.groupBy(before.rows, ({ person }) => person ?? '');
  const pairs = new Map<SlipRow, SlipRow>();
  const added: SlipRow[] = [];
  const several: SlipRow[] = [];
  const nobody = now.get('') ?? [];
  now.delete('');
  for (const [person, rows] of now) {
    const lasts = then.get(person) ?? [];
    if (rows.length > 1 || lasts.length > 1) several.push(...rows);
    else if (lasts.length === 0) added.push(...rows);
    else pairs.set(rows[0]!, lasts[0]!);
  }
  if (![...now.keys()].some((person) => then.has(person)))
    throw new UsageError(
      `Keine Person aus ${run.path} kommt in ${before.path} vor. Ist die Spalte, die --id nennt, in beiden Dateien gleich geschrieben?`,
    );
  const gone = before.rows.filter(({ person }) => person !== null && !now.has(person));
  return {
    before: pairs,
    remarks: [
      `Verglichen mit ${before.path}: ${saySlips(pairs.size)}, je mit der derselben Person.`,
      ...linesSaid('Neu, ohne Vormonat', added),
      ...linesSaid(`Nicht mehr dabei, in ${before.path}`, gone),
      ...linesSaid('Nicht verglichen, weil es von der Person mehrere Abrechnungen gibt', several),
      ...linesSaid('Nicht verglichen, weil die Zelle leer ist, die die Person nennt', nobody),
    ],
  };
}

const linesSaid = (what: string, rows: readonly SlipRow[]): string[] =>
  rows.length === 0 ? [] : [`${what}: ${sayLines(rows.map(({ line }) => line))}.`];

/** If more than this share of rows seem to belong to another person, no row is compared. */
const SHIFTED = 0.1;

/**
 * Pairs the slips row by row. The persons are unknown then: pairs that seem to be two persons are left out, or all
 * pairs if there are many, because an additional or missing row shifts all that follow.
 *
 * @throws {UsageError} if the numbers of rows differ, unless `isTold` requires the comparison.
 */
export function pairByRow(run: PayrollFile, before: PayrollFile, base: ReviewBase, isTold: boolean): Pairs {
  const column = run.left.find((name) => mayIdentify(name) && before.left.includes(name));
  const advice = `--id "${column ?? 'SPALTE'}"`;
  if (run.rows.length !== before.rows.length && !isTold)
    throw new UsageError(
      `${run.path} hat ${saySlips(run.rows.length)}, ${before.path} ${before.rows.length}: Zeile für Zeile würden verschiedene Personen verglichen. ` +
        `Nennen Sie die Spalte, die Personen unterscheidet: ${advice} (sie wird nur auf diesem Rechner und verschlüsselt verglichen, nie gezeigt oder gesendet). ` +
        'Gehören die Zeilen dennoch zueinander: --by-row.',
    );
  const pairs = run.rows.flatMap((row, at) => {
    const last = before.rows[at];
    return last === undefined ? [] : [[row, last] as const];
  });
  const strange = pairs.filter(([row, last]) => isOfAnother(row, last, base)).map(([row]) => row);
  const remark = `Verglichen mit ${before.path}, Zeile für Zeile: Ob es dieselben Personen sind, ist nicht bekannt. Sicher ist ${advice}.`;
  if (strange.length > 1 && strange.length > pairs.length * SHIFTED)
    return {
      before: new Map(),
      remarks: [
        `Nicht verglichen mit ${before.path}: In ${sayLines(strange.map(({ line }) => line))} steht offenbar eine andere Person als dort. Vergleichen Sie mit ${advice}.`,
      ],
    };
  return {
    before: new Map(pairs.filter(([row]) => !strange.includes(row))),
    remarks: [remark, ...linesSaid('Nicht verglichen, weil es offenbar eine andere Person ist', strange)],
  };
}

/**
 * Whether two slips seem to be of different persons. A person has one date of birth and of entry, and seldom changes
 * two of the other facts at once.
 */
function isOfAnother(row: SlipRow, last: SlipRow, base: ReviewBase): boolean {
  const changed = row.facts.flatMap(({ key, value }) => {
    const [quantity] = readingsOf(key, base.quantities).quantities;
    const was = last.facts.find((fact) => fact.key === key)?.value;
    const isStanding = ['choice', 'yes_no', 'code', 'date'].includes(quantity?.kind ?? '');
    if (!isStanding || was === undefined || isSame(was, value)) return [];
    return quantity!.kind === 'date' && !quantity!.past ? [] : [quantity!];
  });
  return changed.length > 1 || changed.some(({ past }) => past);
}

/** The facts that name the month of a slip. They differ each month and are no change. */
const TIME = new Set(['abrechnungsmonat', 'abrechnungsjahr', 'abrechnung_von', 'abrechnung_bis']);

/** The differences from the earlier slip: `RV AN: 227,42 → 230,10`. The month itself is no change. */
export function changesOf(
  row: SlipRow,
  last: SlipRow | undefined,
  base: ReviewBase,
  nameOf: (key: string) => string,
): string[] {
  if (last === undefined) return [];
  const was = new Map(last.facts.map(({ key, value }) => [key, value]));
  const is = new Map(row.facts.map(({ key, value }) => [key, value]));
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((key) => {
    const [now, then] = [is.get(key) ?? '', was.get(key) ?? ''];
    const isOfTime = TIME.has(readingsOf(key, base.quantities).quantities[0]?.key ?? '');
    if (isOfTime || isSame(then, now)) return [];
    return [`${nameOf(key)}: ${then === '' ? 'leer' : then} → ${now === '' ? 'leer' : now}`];
  });
}

/** The wrong values of a slip that are unchanged since the earlier run, although the law for them has changed. */
export function leftStanding(
  { row, findings, judged }: CheckedSlip,
  last: SlipRow | undefined,
  law: readonly ChangedLaw[],
  nameOf: (key: string) => string,
): string[] {
  if (last === undefined) return [];
  const was = new Map(last.facts.map(({ key, value }) => [key, value]));
  const is = new Map(row.facts.map(({ key, value }) => [key, value]));
  return findings
    .filter(({ key }) =>
      judged.some((each) => each.fact.key === key && law.some(({ decides }) => decides.has(each))),
    )
    .filter(({ key }) => was.has(key) && is.has(key) && isSame(was.get(key)!, is.get(key)!))
    .map(({ key }) => `${nameOf(key)}: unverändert, obwohl sich das Recht geändert hat`);
}

/** Whether a value with one of these keys is unchanged since the earlier run. */
export const isUnchanged = (row: SlipRow, last: SlipRow | undefined, keys: ReadonlySet<string>): boolean =>
  row.facts.some(
    ({ key, value }) =>
      keys.has(key) && last?.facts.some((was) => was.key === key && isSame(was.value, value)) === true,
  );

/** Whether two cells are equal. Programs write one amount in several ways: `3500,00`, `3.500,00 €`. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const [first, second] = [readAmount(a, 'de'), readAmount(b, 'de')];
  return first !== null && second !== null && equal(first.value, second.value);
}
