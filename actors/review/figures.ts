import type { Language } from '../../kb/knowledge.ts';
import { quantitiesIn, unitOf } from '../ask/quantities.ts';
import { decimal, rational, type Rational } from './rational.ts';

/** An amount in a text, with its unit. */
export interface Figure {
  readonly value: Rational;
  readonly unit: string;
  readonly start: number;
  /** Behind the unit. */
  readonly end: number;
  /** As it stands in the text: `9,82 Euro`. */
  readonly written: string;
}

/** A day of a text, `YYYY-MM-DD`, or `--MM-DD` where it names no year. */
export interface DateInText {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** What `quantities.ts` leaves without a unit, since a question is not asked in such words. */
const MORE_UNITS: readonly (readonly [RegExp, string])[] = [
  [/^[\s-]*urlaubstage?n?/iu, 'day'],
  [/^[\s-]*beitragssatzpunkte?n?/iu, '%-point'],
  [/^[\s-]*wochenstunden/iu, 'hour'],
  [/^[\s-]*(?:bankarbeitstag|lohnzahlung)/iu, ''],
];
/** Not in `auf eine Woche mit sechs Werktagen`: there it counts nothing. */
const ONE = /(?<!\p{L})(?<!auf )ein(?:e[nrsm]?)?\s+(Monat|Woche|Jahr|Tag|Stunde)(?:e?s)?(?!\p{L})/gu;
const AND_A_HALF = /(?<!\p{L})(\p{Ll}+)einhalb\s+(Stunden|Monate|Jahre|Wochen|Tage)/gu;
const HALVES: Readonly<Record<string, bigint>> = {
  zwei: 2n,
  drei: 3n,
  vier: 4n,
  fünf: 5n,
  sechs: 6n,
  sieben: 7n,
  acht: 8n,
  neun: 9n,
};
const RANGE_TO = /^\s*(?:bis(?:\s+zu)?|to|–|-)\s*$/u;

/** Amounts with a unit, in order. In `über sechs bis neun Stunden` both are hours. */
export function figuresIn(text: string, lang: Language): Figure[] {
  const numbers = quantitiesIn(text, lang).filter(({ kind }) => kind === 'number');
  const figures: Figure[] = [];
  for (const [i, { value, unit, start, end }] of numbers.entries()) {
    const after = text.slice(end, end + 60);
    const more = MORE_UNITS.find(([words]) => words.test(after));
    const next = numbers[i + 1];
    const inherited = next !== undefined && RANGE_TO.test(text.slice(end, next.start)) ? next.unit : null;
    const known = more === undefined ? (unit ?? inherited) : more[1];
    if (known === null || known === '' || !/^\d+(?:\.\d+)?$/u.test(value)) continue;
    const written = text.slice(start, end + lengthOfUnit(after, known, unit === null && more === undefined));
    figures.push({
      value: decimal(value),
      unit: known,
      start,
      end: start + written.length,
      written: written.trim(),
    });
  }
  for (const match of text.matchAll(ONE)) figures.push(spelled(match, rational(1n), match[1]!));
  for (const match of text.matchAll(AND_A_HALF)) {
    const whole = HALVES[match[1]!];
    if (whole !== undefined) figures.push(spelled(match, rational(2n * whole + 1n, 2n), match[2]!));
  }
  return figures.toSorted((a, b) => a.start - b.start).map(inCents);
}

function spelled(match: RegExpExecArray, value: Rational, unit: string): Figure {
  const end = match.index + match[0].length;
  return { value, unit: unitOf(unit)!, start: match.index, end, written: match[0] };
}

function inCents(figure: Figure): Figure {
  return figure.unit === 'cent'
    ? { ...figure, unit: 'eur', value: rational(figure.value.n, figure.value.d * 100n) }
    : figure;
}

/** How far behind the number its unit ends; 0 where the unit stands before it or is that of the next number. */
function lengthOfUnit(after: string, unit: string, inherited: boolean): number {
  if (inherited) return 0;
  for (const match of after.matchAll(/[€%]|[\p{L}.]+/gu)) {
    const word = match[0].replace(/\.$/u, '');
    const isUnit =
      unitOf(word) === unit || MORE_UNITS.some(([words, name]) => name === unit && words.test(word));
    if (isUnit) return match.index + word.length;
    if (match.index > 30) break;
  }
  return 0;
}

/** Dates with a day, in order. */
export function datesIn(text: string, lang: Language): DateInText[] {
  return quantitiesIn(text, lang)
    .filter(({ kind, value }) => kind === 'date' && /-\d{2}-\d{2}$/u.test(value))
    .map(({ value, start, end }) => ({ value, start, end }));
}
