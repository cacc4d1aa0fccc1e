import { monthDigits } from '../months.ts';
import type { Language } from '../source.ts';
import { numberWord } from './number-words.ts';

/**
 * A figure as a text states it, in a form in which spellings compare: `1.234,56 €` and `1234,56 Euro`, `sechs Wochen`
 * and `6 Wochen`, `31.12.2021` and `31. Dezember 2021`, `14,6 %` and `14,6 Prozent`.
 */
export interface Quantity {
  readonly kind: 'number' | 'date' | 'reference';
  /** The value in canonical form: `1234.56`, `2021-12-31`, `2021-12`, `--12-31`, `§3`, `abs2`. */
  readonly value: string;
  /** The unit of a number in canonical form (`eur`, `%`, `week`, `werktag`); `null` if it has no known unit. */
  readonly unit: string | null;
  readonly start: number;
  readonly end: number;
}

const MONTHS =
  /^(?:jan(?:uar|uary|\.)?|jänner|feb(?:ruar|ruary|\.)?|(?:mär|mar)(?:z|ch|\.)?|apr(?:il|\.)?|mai|may|jun[ie]?|jul[iy]?|aug(?:ust|\.)?|sep(?:tember|t\.?|\.)?|o[kc]t(?:ober|\.)?|nov(?:ember|\.)?|de[zc](?:ember|\.)?)$/iu;
const MONTH_NAMES =
  'januar|jänner|january|februar|february|märz|maerz|march|april|mai|may|juni|june|juli|july|august|september|oktober|october|november|dezember|december|jan\\.|feb\\.|apr\\.|aug\\.|sept?\\.|okt\\.|oct\\.|nov\\.|de[zc]\\.';

const UNITS: readonly (readonly [unit: string, words: RegExp])[] = [
  ['eur', /^(?:€|euro?s?|eur)$/iu],
  ['cent', /^cents?$/iu],
  ['usd', /^(?:\$|us-?\$|us-dollars?|dollars?|usd)$/iu],
  ['gbp', /^(?:£|pounds?|gbp)$/iu],
  ['%', /^(?:%|prozent|percent|v\.?\s?h\.?|vomhundert)$/iu],
  ['%-point', /^(?:prozentpunkte?n?|percentage)$/iu],
  ['werktag', /^werktag(?:e|en|es|s)?$/iu],
  ['arbeitstag', /^arbeitstag(?:e|en|es|s)?$/iu],
  ['kalendertag', /^kalendertag(?:e|en|es|s)?$/iu],
  ['day', /^(?:tag(?:e|en|es|s)?|days?)$/iu],
  ['week', /^(?:(?:kalender)?wochen?|weeks?)$/iu],
  ['month', /^(?:(?:kalender)?monat(?:e|en|es|s)?|months?)$/iu],
  ['quarter', /^(?:quartal(?:e|en|s)?|quarters?)$/iu],
  ['year', /^(?:(?:kalender|lebens)?jahr(?:e|en|es|s)?|years?)$/iu],
  ['hour', /^(?:(?:arbeits)?stunden?|std\.?|hours?|h)$/iu],
  ['minute', /^(?:minuten?|min\.?|minutes?)$/iu],
  ['second', /^(?:sekunden?|seconds?)$/iu],
  ['km2', /^(?:km²|km2|quadratkilometern?|sq)$/iu],
  ['m2', /^(?:m²|m2|quadratmetern?)$/iu],
  ['km', /^(?:km|kilometern?|kilomet(?:er|re)s?)$/iu],
  ['m', /^(?:m|metern?|met(?:er|re)s?)$/iu],
  ['mile', /^(?:meilen?|miles?|mi)$/iu],
  ['foot', /^(?:fuß|feet|foot|ft)$/iu],
  ['kg', /^(?:kg|kilogramm|kilograms?)$/iu],
  ['ton', /^(?:tonnen?|tons?|tonnes?)$/iu],
  ['°c', /^(?:°c?|grad|degrees?)$/iu],
  ['person', /^(?:personen|persons?|people|einwohnern?|inhabitants?|residents?)$/iu],
];
/** A compound such as `sechswöchig` or `14-tägige`: a number, possibly in words, with its unit. */
const COMPOUND = /^(.*?)-?(tägig|wöchig|monatig|jährig|stündig|minütig|prozentig)(?:e[rsnm]?)?$/u;
const COMPOUND_UNITS: Readonly<Record<string, string>> = {
  tägig: 'day',
  wöchig: 'week',
  monatig: 'month',
  jährig: 'year',
  stündig: 'hour',
  minütig: 'minute',
  prozentig: '%',
};
const SCALES: readonly (readonly [word: RegExp, de: number, en: number])[] = [
  [/^(?:tausend|tsd\.?|thousand)$/iu, 1e3, 1e3],
  [/^(?:millionen?|million|millions|mio\.?)$/iu, 1e6, 1e6],
  [/^(?:milliarden?|mrd\.?)$/iu, 1e9, 1e9],
  [/^(?:billionen?|billion|billions)$/iu, 1e12, 1e9],
];

const FIGURE_OR_WORD =
  /(?<![\d\p{L}])(?:\d{1,3}(?:[.,\u00A0\u202F\u2009]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)|(?<!vom )\p{L}[\p{L}-]*/gu;
const REFERENCE =
  /(§{1,2}|\bArt(?:\.|ikel[ns]?|icle)?|\bAbs(?:\.|atz(?:es)?)?|\bSatz(?:es)?|\bN(?:r|ummer)\.?|\bZ(?:iff)?\.?|\bsections?|\bparagraphs?)\s*(\d+[a-z]?)\b/giu;
const DATE = new RegExp(
  [
    '(?<iy>\\d{4})-(?<im>\\d{2})-(?<id>\\d{2})',
    '(?<nd>\\d{1,2})\\.\\s?(?<nm>\\d{1,2})\\.\\s?(?<ny>\\d{4})',
    '(?<xd>[0-3]?\\d)\\.\\s?(?<xm>[01]?\\d)\\.',
    `(?<dd>\\d{1,2})(?:\\.|st|nd|rd|th)?\\s+(?<dm>${MONTH_NAMES})(?:,?\\s+(?<dy>\\d{4}))?`,
    `(?<em>${MONTH_NAMES})\\s+(?<ed>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:\\s?,\\s?(?<ey>\\d{4}))?`,
    `(?<mm>${MONTH_NAMES})\\s+(?<my>\\d{4})`,
  ]
    .map((pattern) => `(?<![\\d\\p{L}.,])${pattern}(?![\\d\\p{L}])`)
    .join('|'),
  'giu',
);

/**
 * All figures of a text in order. No characters belong to two figures: the year within a date is no number of its own.
 */
export function quantitiesIn(text: string, lang: Language): Quantity[] {
  const found: Quantity[] = [...dates(text), ...references(text)];
  const taken = (start: number, end: number): boolean =>
    found.some((quantity) => quantity.start < end && start < quantity.end);
  found.push(...numbers(text, lang).filter((quantity) => !taken(quantity.start, quantity.end)));
  return found.toSorted((a, b) => a.start - b.start);
}

function* dates(text: string): Generator<Quantity> {
  for (const match of text.matchAll(DATE)) {
    const g = match.groups!;
    const year = g['iy'] ?? g['ny'] ?? g['dy'] ?? g['ey'] ?? g['my'];
    const month = monthDigits(g['im'] ?? g['nm'] ?? g['xm'] ?? g['dm'] ?? g['em'] ?? g['mm'] ?? '');
    const day = (g['id'] ?? g['nd'] ?? g['xd'] ?? g['dd'] ?? g['ed'])?.padStart(2, '0');
    const value = [year ?? '-', month, ...(day === undefined ? [] : [day])].join('-');
    yield { kind: 'date', value, unit: null, start: match.index, end: match.index + match[0].length };
  }
}

const WEEKDAYS =
  /^(?:(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$/iu;

/** Whether a word names a month or a day of the week; `null` for any other word. */
export function namedTime(word: string): 'month' | 'weekday' | null {
  if (WEEKDAYS.test(word)) return 'weekday';
  return word.length > 2 && MONTHS.test(word) ? 'month' : null;
}

function* references(text: string): Generator<Quantity> {
  for (const match of text.matchAll(REFERENCE)) {
    const value = `${referenceKind(match[1]!)}${match[2]!.toLowerCase()}`;
    yield { kind: 'reference', value, unit: null, start: match.index, end: match.index + match[0].length };
  }
}

function referenceKind(word: string): string {
  const lower = word.toLowerCase();
  if (lower.startsWith('§') || lower.startsWith('section')) return '§';
  if (lower.startsWith('art')) return 'art';
  if (lower.startsWith('abs') || lower.startsWith('paragraph')) return 'abs';
  if (lower.startsWith('satz')) return 'satz';
  return 'nr';
}

function numbers(text: string, lang: Language): Quantity[] {
  const found: Quantity[] = [];
  for (const match of text.matchAll(FIGURE_OR_WORD)) {
    const start = match.index;
    const isFigure = /^\d/u.test(match[0]);
    const compound = isFigure ? null : compoundNumber(match[0], lang);
    const base = isFigure ? parseFigure(match[0], lang) : (compound?.value ?? numberWord(match[0], lang));
    if (base === undefined) continue;
    const scaled = scale(text, start + match[0].length, lang);
    const end = scaled?.end ?? start + match[0].length;
    const value = String(Number((base * (scaled?.factor ?? 1)).toPrecision(12)));
    found.push({ kind: 'number', value, unit: compound?.unit ?? unitAt(text, start, end), start, end });
  }
  return found;
}

const GROUPED = {
  de: /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/u,
  en: /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u,
} as const;

/**
 * The value of a figure: `1.234,56` (German), `1,234.56` (English). A single separator before three digits is read by
 * the text's language.
 */
function parseFigure(figure: string, lang: Language): number {
  const plain = figure.replaceAll(/[\u00A0\u202F\u2009]/gu, '');
  const separators = plain.replaceAll(/\d/gu, '').length;
  const own = GROUPED[lang].test(plain);
  const foreign = separators > 1 && GROUPED[lang === 'de' ? 'en' : 'de'].test(plain);
  if (!own && !foreign) return Number(plain.replace(',', '.'));
  const isGerman = own === (lang === 'de');
  return Number(isGerman ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''));
}

function compoundNumber(word: string, lang: Language): { value: number; unit: string } | null {
  const [, number, counted] = COMPOUND.exec(word.toLowerCase()) ?? [];
  const value = number === undefined ? undefined : numberWord(number, lang);
  return value === undefined ? null : { value, unit: COMPOUND_UNITS[counted!]! };
}

function scale(text: string, end: number, lang: Language): { factor: number; end: number } | undefined {
  const next = /^[\s\u00A0-]+([\p{L}]+\.?)/u.exec(text.slice(end, end + 24));
  const entry = next === null ? undefined : SCALES.find(([word]) => word.test(next[1]!));
  if (next === null || entry === undefined) return undefined;
  return { factor: lang === 'de' ? entry[1] : entry[2], end: end + next[0].length };
}

/** The unit of a number: the sign before it, or a unit among the next words (`24 bezahlte Werktage`). */
function unitAt(text: string, start: number, end: number): string | null {
  const sign = /([€$£])\s?$/u.exec(text.slice(Math.max(0, start - 3), start))?.[1];
  if (sign !== undefined) return unitOf(sign);
  const after = text.slice(end, end + 60);
  const glued = /^[\s\u00A0]*([€$£%°]|v\.\s?H\.|vom Hundert)/u.exec(after)?.[1];
  if (glued !== undefined) return unitOf(glued.replace(/\s/gu, ''));
  const counted = COMPOUND.exec(/^-?\p{Ll}+/u.exec(after)?.[0] ?? '')?.[2];
  if (counted !== undefined) return COMPOUND_UNITS[counted]!;
  const words = after.split(/[\s\u00A0-]+/u).filter((word) => word !== '');
  for (const word of words.slice(0, 3)) {
    const unit = unitOf(word.replace(/[.,;:!?)"“”]+$/u, ''));
    if (unit !== null) return unit;
    if (/[.,;:!?)]$|^\d/u.test(word) || STOPS.test(word)) return null;
  }
  return null;
}

const STOPS =
  /^(?:und|oder|bis|von|vor|nach|in|im|am|auf|zu|pro|je|für|bei|mit|and|or|to|of|at|by|for|with|per|from|on)$/iu;

/** Whether a word is only part of a figure: a number word, its scale, its unit. */
export function isFigureWord(word: string, lang: Language): boolean {
  return (
    unitOf(word) !== null ||
    SCALES.some(([scale]) => scale.test(word)) ||
    numberWord(word, lang) !== undefined ||
    compoundNumber(word, lang) !== null
  );
}

/** The unit that a word names, as in `Quantity.unit`; `null` if it names none. */
export function unitOf(word: string): string | null {
  return UNITS.find(([, words]) => words.test(word))?.[0] ?? null;
}
