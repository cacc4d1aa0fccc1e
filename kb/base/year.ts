import { provisionsIn } from '../provisions.ts';
import { TO_NUMBER, type Steps } from '../steps.ts';
import type { Source } from '../source.ts';

const YEAR = String.raw`(?<year>(?:19|20)\d{2})`;
/**
 * Patterns of titles with a year: `Beitragsbemessungsgrenze 2021`, `… für das Jahr 2021 …`, `(2021)`, `§ 1 SVBezGrV
 * 2021: Bezugsgröße`.
 */
const IN_TITLE = [
  new RegExp(String.raw`\b(?:für|Jahr|year|for|in|im)\s+${YEAR}\b(?![-–/])`, 'iu'),
  new RegExp(String.raw`(?:^|[\s(,])${YEAR}\)?\s*(?:$|:)`, 'u'),
];
/** The year as a separate part: `BBG-2021-West`. */
const IN_ID = new RegExp(String.raw`(?:^|[-._])${YEAR}(?=$|[-._])`, 'u');
/** The year appended to an abbreviation: `SVBezGrV2021-1`. */
const GROWN_ON = new RegExp(String.raw`(?<=\p{L})${YEAR}(?!\d)`, 'u');

/** The calendar year of validity in an id or title; the number of a § (`BGB-1922`) is no year. */
export function yearOf(id: string, title: string, section = ''): number | null {
  const numbers = provisionsIn(`${title}\n${section}`).flatMap(({ ranges }) => ranges.flat());
  const years = [...IN_TITLE.map((pattern) => pattern.exec(title)), IN_ID.exec(id)];
  const year = years
    .map((match) => match?.groups?.['year'])
    .find((found) => found !== undefined && !numbers.includes(found));
  return year === undefined ? null : Number(year);
}

/** The id without its year, which all editions of one rule share. A source without a year is alone in its family. */
export const familyOf = (source: Pick<Source, 'id' | 'year'>): string =>
  source.year === null ? source.id : withoutYear(source);

function withoutYear({ id }: Pick<Source, 'id'>): string {
  const year = IN_ID.exec(id) ?? GROWN_ON.exec(id);
  return year === null ? id : id.replace(year[0], '');
}

/** Whether an id has a year appended to an abbreviation. */
export const hasGrownOnYear = (id: string): boolean => GROWN_ON.test(id);

/**
 * A year appended to an abbreviation is part of a name (`MuSchG2018`) unless the base has the same rule for another
 * year too (`SVBezGrV2021`, `SVBezGrV2022`).
 */
export function* grownOnYears(ids: readonly string[]): Steps<Map<string, number>> {
  const families = new Map<string, { readonly years: Set<string>; readonly ids: [string, string][] }>();
  for (const [number, id] of ids.entries()) {
    if (number % IDS_A_STEP === 0) yield TO_NUMBER * IDS_A_STEP;
    const year = GROWN_ON.exec(id)?.[0];
    if (year === undefined) continue;
    const family = withoutYear({ id });
    const known = families.get(family) ?? { years: new Set(), ids: [] };
    families.set(family, known);
    known.years.add(year);
    known.ids.push([id, year]);
  }
  const years = new Map<string, number>();
  for (const family of families.values())
    if (family.years.size > 1) for (const [id, year] of family.ids) years.set(id, Number(year));
  return years;
}

const IDS_A_STEP = 100;
