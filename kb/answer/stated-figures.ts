import { plainAnalysis } from '../analysis/analysis.ts';
import type { Language } from '../source.ts';
import { quantitiesIn, unitOf } from './quantities.ts';

/** A number in a text, with what it counts. */
export interface Figure {
  readonly value: number;
  /** The unit, or the stem of the noun after the number (`drei Etagen`). */
  readonly unit: string;
  readonly start: number;
  /** The index at which the word of the unit ends. */
  readonly end: number;
}

/** The numbers and the times that a text states. */
export interface Stated {
  readonly figures: readonly Figure[];
  /** Numbers whose unit the text does not state. */
  readonly bare: readonly number[];
  /** Years and dates for which the figures hold. */
  readonly times: readonly string[];
}

const YEAR = /^(?:19|20)\d\d$/u;
/** Words for one unit: `innerhalb eines Monats`, `for a whole year`; not in `5 Euro je Monat` or `once a week`. */
const ONE =
  /(?<!\p{L})(?:(?:innerhalb|binnen|dauert|beträgt|hat|habe|within|for|lasts|takes|is)\s+(?:von\s+)?(?=ein|a)|(?=one))(?<figure>(?:ein(?:e[nmrs]?)?|an?|one)\s+(?:(?:ganze[nmrs]?|volle[nmrs]?|whole|full)\s+)?(?<unit>\p{L}+))/giu;
/** An ordinal number, which counts nothing: `der dritte Hund` is one of several. */
const ORDINAL = /^(?:\p{L}+te[nrsm]?|erste[nrsm]?|first|second|third|\p{L}+th)$/iu;
/**
 * The number of words after a number among which its noun is, because adjectives may come first, and the number of
 * characters that are read.
 */
const NEXT = 3;
const BEHIND = 80;

export function statedIn(text: string, lang: Language): Stated {
  const figures: Figure[] = [];
  const bare: number[] = [];
  const times: string[] = [];
  for (const { kind, value, unit, start, end } of quantitiesIn(text, lang)) {
    if (kind === 'date' || (unit === null && YEAR.test(value))) times.push(value);
    if (kind !== 'number' || (unit === null && YEAR.test(value))) continue;
    const isOrdinal = ORDINAL.test(text.slice(start, end));
    const counted = isOrdinal ? null : (unit ?? countedBehind(text.slice(end, end + BEHIND), lang));
    if (counted === null) bare.push(Number(value));
    else figures.push({ value: Number(value), unit: counted, start, end: endOf(counted, text, end, lang) });
  }
  for (const { 0: found, index, groups } of text.matchAll(ONE)) {
    const unit = unitOf(groups!['unit']!);
    const end = index + found.length;
    if (unit !== null && DAYS.has(unit))
      figures.push({ value: 1, unit, start: end - groups!['figure']!.length, end });
  }
  return { figures, bare, times };
}

/** The stem of what a number counts: in German the next noun, in English the next word. */
function countedBehind(rest: string, lang: Language): string | null {
  if (!/^\s+\p{L}/u.test(rest)) return null;
  const words = rest.trimStart().split(/\s+/u, lang === 'de' ? NEXT : 1);
  const noun = words.findIndex((word) => /^\p{Lu}/u.test(word));
  const areAdjectives = words.slice(0, noun).every((word) => /e[nrsm]?$/u.test(word));
  const counted = lang === 'de' ? (areAdjectives ? words[noun] : undefined) : words[0];
  return (counted === undefined ? undefined : termOf(counted, lang)) ?? null;
}

const termOf = (word: string, lang: Language): string | undefined => plainAnalysis.words(word, lang)[0]?.term;

/** The index at which the word ends that names the unit of a number (`drei große Zimmer`). */
function endOf(unit: string, text: string, from: number, lang: Language): number {
  const words = [...text.slice(from).matchAll(/\p{L}+/gu)].slice(0, NEXT);
  const named = words.find(({ 0: word }) => unitOf(word) === unit || termOf(word, lang) === unit);
  return named === undefined ? from : from + named.index + named[0].length;
}

/** The fewest and the most days that a unit may mean: a week may have five working days. */
const DAYS: ReadonlyMap<string, readonly [from: number, to: number]> = new Map([
  ['werktag', [1, 1.4]],
  ['arbeitstag', [1, 1.4]],
  ['kalendertag', [1, 1.4]],
  ['day', [1, 1.4]],
  ['week', [5, 7]],
  ['month', [20, 31]],
  ['quarter', [60, 92]],
  ['year', [240, 366]],
]);

/** Whether two figures are certainly different (true) or equal (false); `null` if they cannot be compared. */
export function isOther(one: Figure, two: Figure): boolean | null {
  if (one.unit === two.unit) return one.value !== two.value;
  const [days, others] = [DAYS.get(one.unit), DAYS.get(two.unit)];
  if (days === undefined || others === undefined) return null;
  return one.value * days[1] < two.value * others[0] || two.value * others[1] < one.value * days[0];
}
