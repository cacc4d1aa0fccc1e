import { isSectionHead } from './section-heads.ts';
import type { Heading, Unit } from './unit.ts';

/** A place with a date, above signatures: `Adorf, den 3. Mai 2024`, `Adorf, 03.05.2024`. */
const PLACE_AND_DATE =
  /^\p{Lu}[\p{L}.\-/() ]{1,40},\s(?:den\s|im\s|am\s)?(?:\d{1,2}\s?\.\s?)?(?:\d{1,2}\s?\.|\p{L}{3,9}\.?)\s?(?:19|20)\d\d$/u;
/** The most words of a name or an office, and the most words of a line with a remark beside it. */
const [NAME, MOST_WORDS] = [5, 12];

/**
 * The units with the lines of a signature as text, not as headings: a place with its date, and below it names and
 * offices in large or bold type, until text or another page follows.
 */
export function withSignatures(units: readonly Unit[]): readonly Unit[] {
  let isSigned = false;
  return units.map((unit, i): Unit => {
    if (unit.page !== units[i - 1]?.page) isSigned = false;
    if (unit.kind === 'heading' || unit.kind === 'paragraph') {
      if (PLACE_AND_DATE.test(unit.text)) isSigned = true;
      else if (wordsOf(unit) > MOST_WORDS) isSigned = false;
    } else isSigned = false;
    if (unit.kind !== 'heading' || !isSigned) return unit;
    if (!PLACE_AND_DATE.test(unit.text) && (!couldBeName(unit) || hasText(units, i))) {
      isSigned = false;
      return unit;
    }
    const { page, text } = unit;
    return { kind: 'paragraph', text, ...(page === undefined ? {} : { page }) };
  });
}

const couldBeName = (unit: Heading): boolean =>
  wordsOf(unit) <= NAME && !/^\d/u.test(unit.text) && !isSectionHead(unit.text);

const wordsOf = (unit: Unit): number =>
  unit.kind === 'row' ? MOST_WORDS + 1 : unit.text.split(/\s+/u).length;

/** Whether a heading has text below it that could not be below a signature. */
function hasText(units: readonly Unit[], heading: number): boolean {
  const next = units.findIndex((unit, i) => i > heading && unit.kind === 'heading');
  const below = units.slice(heading + 1, next === -1 ? undefined : next);
  return below.some((unit) => unit.kind !== 'paragraph' || wordsOf(unit) > MOST_WORDS);
}
