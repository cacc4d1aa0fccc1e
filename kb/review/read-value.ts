import type { Language } from '../source.ts';
import { numberWord } from '../answer/number-words.ts';
import { unitOf } from '../answer/quantities.ts';
import { daysIn } from './calendar.ts';
import { decimal, multiply, rational, type Rational } from './rational.ts';
import { monthNumber } from '../months.ts';
import { MONTH_NAMES } from './time-spans.ts';

/** An amount with its unit as in `quantities.ts` (`eur`, `%`, `werktag`, `week`); `null` without a unit. */
export interface Amount {
  readonly value: Rational;
  readonly unit: string | null;
  readonly per: Period | null;
}

const DATES: readonly RegExp[] = [
  /^(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.\s?(?<y>\d{4})$/u,
  /^(?<y>\d{4})-(?<m>\d{1,2})-(?<d>\d{1,2})$/u,
  /^(?<y>\d{4})-(?<m>\d{2})$/u,
  /^(?<m>\d{1,2})[/.](?<y>\d{4})$/u,
  new RegExp(`^(?<d>\\d{1,2})(?:\\.|st|nd|rd|th)?\\s+(?<m>${MONTH_NAMES})\\.?,?\\s+(?<y>\\d{4})$`, 'iu'),
  new RegExp(`^(?<m>${MONTH_NAMES})\\.?\\s+(?<d>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?<y>\\d{4})$`, 'iu'),
  new RegExp(`^(?<m>${MONTH_NAMES})\\.?\\s+(?<y>\\d{4})$`, 'iu'),
];

/** The day or the month (with `day` null), if the whole text is one; `null` if the calendar does not have it. */
export function readDate(text: string) {
  for (const pattern of DATES) {
    const groups = pattern.exec(text.trim())?.groups;
    if (groups === undefined) continue;
    const year = Number(groups['y']);
    const month = monthNumber(groups['m']!);
    const day = groups['d'] === undefined ? null : Number(groups['d']);
    const exists = month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= daysIn(year, month)));
    return exists ? { year, month, day } : null;
  }
  return null;
}

const SPACE = '[\\s\\u00A0\\u202F\\u2009]';
/** Endings that do not change a value, such as the end of a month or the word for gross pay. */
const ADDITIONS =
  /(?:^|\s)(?:brutto|netto|gross|net|zum (?:monatsende|ende (?:eines|des) kalendermonats|fünfzehnten oder zum monatsende)|to the end of a (?:calendar )?month|urlaub|vacation)(?=\s|$)/giu;
/** A notation for whole euros: `1500,-`, `1.500,--`. */
const WHOLE = /(?<=\d)[,.][-–—]{1,2}(?=\s|€|$)/gu;
const PER =
  /(?:\/|(?:^|\s)(?:je|pro|per|im|in der|am|a|an|each)\s)\s*(?:zeit|arbeits|kalender|werk|lohn)?(?:stunde|std\.?|hour|h|tag|day|woche|week|monat|month|jahr|year|quartal|quarter)$|(?:^|\s)(?:stündlich|täglich|wöchentlich|monatlich|jährlich|vierteljährlich|hourly|daily|weekly|monthly|yearly|p\.\s?[am]\.)$/iu;

/**
 * Parses a client's text as an amount: `1.234,56 €`, `14,6 Prozent`, `sechs Wochen`, `450-Euro`, `5-Tage-Woche`. `null`
 * for a date, for a text with anything else, and for an ambiguous one: nothing is guessed.
 */
export function readValue(text: string, language: Language): Amount | null {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[\u2212\u2010-\u2015]/gu, '-')
    .replaceAll(WHOLE, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return readDate(plain) === null ? readAmount(plain, language) : null;
}

/** The amount, if the whole text is one; otherwise `null`. */
export function readAmount(text: string, language: Language): Amount | null {
  const week = /^(\p{L}+|\d)[- ]?(?:tage|day)[- ]?(?:woche|week)$/iu.exec(text);
  if (week !== null) return workingDays(week[1]!, language);
  let rest = text.replaceAll(WHOLE, '').replaceAll(ADDITIONS, ' ').replaceAll(/\s+/gu, ' ').trim();
  const per = PER.exec(rest);
  if (per !== null) rest = rest.slice(0, per.index).trim();
  const parts = new RegExp(
    `^(?<sign>[-+]?)${SPACE}?(?<before>€|EUR|Euro)?${SPACE}?(?<sign2>-?)(?<number>\\d(?:[\\d.,']|[\\u00A0\\u202F\\u2009 ](?=\\d{3}(?!\\d)))*|\\p{L}+(?=[ -]))(?<sign3>${SPACE}?-(?=${SPACE}|€|$))?${SPACE}?-?(?<unit>\\D*?)(?<sign4>${SPACE}?-)?$`,
    'iu',
  ).exec(rest)?.groups;
  if (parts === undefined) return null;
  const unitText = parts['unit']!.trim();
  const written = parts['before'] ?? (unitText === '' ? null : unitText);
  if (parts['before'] !== undefined && unitText !== '') return null;
  const unit = written === null ? null : unitOfText(written);
  if (unit === undefined) return null;
  const number = readNumber(parts['number']!, language, unit);
  if (number === null) return null;
  // Ledgers write a deduction as `200,00-`.
  const signs = [parts['sign'], parts['sign2'], parts['sign3'], parts['sign4']].filter(
    (sign) => sign !== undefined && sign !== '',
  );
  if (signs.length > 1) return null;
  const negative = signs[0]?.trim() === '-';
  const value = negative ? rational(-number.n, number.d) : number;
  const isCents = unit === 'cent';
  return {
    value: isCents ? multiply(value, CENT) : value,
    unit: isCents ? 'eur' : unit,
    per: per === null ? null : periodOf(per[0]),
  };
}

const CENT = rational(1n, 100n);

function workingDays(word: string, language: Language): Amount | null {
  const days = /^\d$/u.test(word) ? Number(word) : numberWord(word, language);
  return days === undefined || days < 1 || days > 7
    ? null
    : { value: rational(BigInt(days)), unit: 'day', per: 'week' };
}

/** The unit that a text names; `undefined` if it names none. */
function unitOfText(text: string): string | undefined {
  if (/^(?:%|prozent)-?\s?-?punkte?n?$|^percentage points?$|^beitragssatzpunkte?n?$/iu.test(text))
    return '%-point';
  const known = unitOf(text.replace(/^-/u, '').replace(/\.$/u, ''));
  if (known !== null) return known;
  if (/^urlaubstage?n?$/iu.test(text)) return 'day';
  return undefined;
}

/**
 * The most digits of a number. No payroll figure has more, and the limit keeps clients from making us calculate with
 * huge numbers.
 */
const MAX_DIGITS = 30;

/**
 * Parses a number with separators, exactly. The last separator is the decimal one before one or two digits, or before
 * more than three. Before three digits the language decides; in money such a number is ambiguous if the language does
 * not fit.
 */
export function readNumber(text: string, language: Language, unit: string | null): Rational | null {
  if (/^\p{L}/u.test(text)) {
    const article = /^(?:eine?[nmrs]?|one)$/iu.test(text) ? 1 : undefined;
    const value = numberWord(text, language) ?? article;
    return value === undefined ? null : rational(BigInt(value));
  }
  const plain = text.replaceAll(/[\u00A0\u202F\u2009 ']/gu, '');
  if (plain.length > MAX_DIGITS) return null;
  const [group, point] = language === 'de' ? ['.', ','] : [',', '.'];
  if (/^\d+$/u.test(plain)) return decimal(plain);
  if (matches(plain, '.', ',') && (plain.includes(',') || language === 'de')) return parse(plain, '.', ',');
  if (language === 'en' && matches(plain, ',', '.')) return parse(plain, ',', '.');
  const single = /^\d+([.,])(\d+)$/u.exec(plain);
  if (single === null) return null;
  const [, separator, fraction] = single;
  if (fraction!.length !== 3) return parse(plain, separator === ',' ? '.' : ',', separator!);
  // A number such as `1,234` in German or `1.234` in English has decimals if it is a rate, but is ambiguous in money.
  const isMoney = unit === 'eur' || unit === 'usd' || unit === 'gbp' || unit === 'cent';
  return separator === point && !isMoney ? parse(plain, group, point) : null;
}

function matches(text: string, group: string, point: string): boolean {
  return new RegExp(`^\\d{1,3}(?:[${group}]\\d{3})+(?:[${point}]\\d+)?$`, 'u').test(text);
}

function parse(text: string, group: string, point: string): Rational {
  return decimal(text.replaceAll(group, '').replace(point, '.'));
}

/**
 * The two numbers that a text like `3,500` may be: three and a half in German, thousands in English; `null` for a text
 * with one meaning.
 */
export function twoNumbersIn(text: string): readonly [Rational, Rational] | null {
  const number =
    /^[-+]?\s?(?:(?:€|EUR|Euro)\s?)?-?(?<number>\d{1,3},\d{3})\s?-?(?:\s?(?:€|EUR|Euro))?\s?-?$/iu.exec(
      text.trim(),
    )?.groups?.['number'];
  return number === undefined ? null : [parse(number, '.', ','), parse(number, ',', '.')];
}

/** The period of an amount: an hour, a day … */
type Period = 'hour' | 'day' | 'week' | 'quarter' | 'month' | 'year';

const PERIODS: readonly (readonly [Period, RegExp])[] = [
  ['hour', /st[uü]nd|std|hour|\bh$/iu],
  ['day', /t[aä]g|day|daily/iu],
  ['week', /w[oö]ch|week/iu],
  ['quarter', /viertel|quart/iu],
  ['month', /monat|month|p\.\s?m/iu],
  ['year', /j[aä]hr|year|p\.\s?a/iu],
];

/** The period at the end of an amount, as `PER` finds it. */
const periodOf = (end: string): Period | null => PERIODS.find(([, words]) => words.test(end))?.[0] ?? null;
