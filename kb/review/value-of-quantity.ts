import { unitOf } from '../answer/quantities.ts';
import { wordList } from '../word-list.ts';
import { absolute, decimal, multiply, rational, type Rational } from './rational.ts';
import { readAmount, readDate, readNumber, twoNumbersIn } from './read-value.ts';
import { choiceValue, dateValue, numberValue, truthValue, type Duration, type RuleValue } from './value.ts';
import { foldSpelling, spellingsOf, type Quantity } from './vocabulary.ts';

const YES = new Set(wordList('ja j yes y true wahr 1 x jawohl vorhanden on').map(foldSpelling));
const NO = new Set(
  wordList('nein n no false falsch 0 keine kein nichtvorhanden off nicht').map(foldSpelling),
);

/** The value if it is in the quantity's range; otherwise `null`. */
export function inRange(
  value: RuleValue | null,
  { kind, range: own }: Quantity,
  range = own,
): RuleValue | null {
  if (value?.type !== 'number' || range === undefined) return value;
  const shown = kind === 'rate' ? multiply(value.number, rational(100n)) : value.number;
  const at = Number(shown.n) / Number(shown.d);
  return at >= range[0] && at <= range[1] ? value : null;
}

/** The folded spelling of a choice. A dash is kept, because it may be a choice itself; other signs are dropped. */
const foldChoice = (text: string): string =>
  /^\p{Pd}+$/u.test(text.trim().replaceAll('\u2212', '-')) ? '-' : foldSpelling(text);

interface FoldedSpellings {
  /** The folded key and other German names of the quantity. */
  readonly own: ReadonlySet<string>;
  /** The names of the fact that may be written before its choice, as in `Steuerklasse III`. */
  readonly names: readonly string[];
  readonly choices: readonly (readonly [choice: string, spellings: ReadonlySet<string>])[];
}

const FOLDED = new WeakMap<Quantity, FoldedSpellings>();

/** Cached, because every fact of every slip is compared with these spellings. */
function foldedOf(quantity: Quantity): FoldedSpellings {
  const known = FOLDED.get(quantity);
  if (known !== undefined) return known;
  const folded = {
    own: new Set([quantity.key, ...quantity.also].map(foldSpelling)),
    names: [...spellingsOf(quantity), 'klasse', 'class'].map(foldSpelling),
    choices: Object.entries(quantity.choices ?? {}).map(
      ([choice, spellings]) => [choice, new Set([choice, ...spellings].map(foldChoice))] as const,
    ),
  };
  FOLDED.set(quantity, folded);
  return folded;
}

/**
 * Reads a value in the unit of its quantity, which bare numbers have. `horizon` is the month, `YYYY-MM`, by which the
 * century of a two-digit year is chosen.
 */
export function readValueOf(written: string, quantity: Quantity, horizon: string | null): RuleValue | null {
  switch (quantity.kind) {
    case 'yes_no': {
      const folded = foldSpelling(written);
      if (YES.has(folded) || foldedOf(quantity).own.has(folded)) return truthValue(true);
      return NO.has(folded) ? truthValue(false) : null;
    }
    case 'choice': {
      const folded = foldChoice(written);
      const { names, choices } = foldedOf(quantity);
      // The name of the quantity may come before the value, as in `Steuerklasse 1`.
      const rests = names.flatMap((name) => (folded.startsWith(name) ? [folded.slice(name.length)] : []));
      const chosen = choices.find(([, spellings]) => [folded, ...rests].some((each) => spellings.has(each)));
      return chosen === undefined ? null : choiceValue(chosen[0]);
    }
    case 'date':
      return dayOf(written, quantity.past, horizon);
    case 'month':
      return null;
    case 'code':
      return readCode(written, quantity.digits ?? 1);
    case 'amount':
    case 'rate':
    case 'days':
    case 'hours':
    case 'count':
    case 'duration':
      return readMeasure(written, quantity);
  }
}

/** A code of digits, with signs between them or a name after them; leading zeros may be missing. */
function readCode(written: string, digits: number): RuleValue | null {
  const plain = /^\s*(?<code>\d(?:[\s./_-]?\d)*)(?!\d)/u
    .exec(written)
    ?.groups?.['code']?.replaceAll(/\D/gu, '');
  if (plain === undefined || plain.length > digits || (digits === 3 && plain.length < 3)) return null;
  return numberValue(decimal(plain));
}

const SHORT_YEAR = /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{2})$/u;

/** Whether a text is a day with a two-digit year. */
export const hasShortYear = (written: string): boolean => SHORT_YEAR.test(written.trim());

function dayOf(written: string, isPast: boolean, horizon: string | null): RuleValue | null {
  const text = written.trim().replace(/(?<=^\d{4}-\d{2}-\d{2})T.*$/u, '');
  const short = SHORT_YEAR.exec(text)?.groups;
  const compact = /^(?<y>(?:19|20)\d{2})(?<m>\d{2})(?<d>\d{2})$/u.exec(text)?.groups;
  const plain =
    short !== undefined
      ? `${short['d']}.${short['m']}.20${short['y']}`
      : compact !== undefined
        ? `${compact['y']}-${compact['m']}-${compact['d']}`
        : text;
  const date = readDate(plain);
  if (date === null || date.day === null) return null;
  const year = short === undefined ? date.year : yearOf(date, isPast, horizon);
  return year === null ? null : dateValue({ ...date, year, day: date.day });
}

/**
 * The year of a date with two digits. It is first read in this century. If it is then more than a year after the
 * horizon, a past date belongs to the previous century. Any other date so far ahead, and a past date before that
 * century, is ambiguous.
 */
function yearOf(
  { year, month }: { readonly year: number; readonly month: number },
  isPast: boolean,
  horizon: string | null,
): number | null {
  if (horizon === null) return year;
  const ahead = (year - Number(horizon.slice(0, 4))) * 12 + month - Number(horizon.slice(5));
  if (ahead <= 0) return year;
  const isFar = ahead > 12;
  if (isPast) return isFar ? year - 100 : null;
  return isFar ? null : year;
}

const DAYS = new Set(['day', 'werktag', 'arbeitstag', 'kalendertag', 'workday', 'working day']);

function readMeasure(written: string, quantity: Quantity): RuleValue | null {
  const { kind, per: period } = quantity;
  const clock = /^(\d{1,3}):([0-5]\d)(?:\s?(?:h|std|stunden|uhr))?$/iu.exec(written.trim());
  if (clock !== null && kind === 'hours') {
    const minutes = rational(BigInt(clock[1]!) * 60n + BigInt(clock[2]!));
    return numberValue(inUnit(minutes, 'minute', quantity) ?? minutes);
  }
  // A rate or a number of days has no separator of thousands: `1.525 %` is less than two.
  const small =
    kind === 'amount' ? null : /^([-+]?\d{1,3})[.,](\d{3})\s*(%|prozent)?$/iu.exec(written.trim());
  if (small !== null && kind !== 'duration') {
    const number = decimal(`${small[1]!.replace('+', '')}.${small[2]}`);
    return small[3] !== undefined && kind !== 'rate'
      ? null
      : numberValue(kind === 'rate' ? hundredth(number) : number);
  }
  const text = written.replace(/\s*\([^()]*\)$/u, '').replace(/\s+zum\s+.*$/iu, '');
  // `3,500` is three and a half in German, or thousands in English notation.
  if (kind === 'amount' && twoNumbersIn(text) !== null) return null;
  const amount = readAmount(text, 'de') ?? bare(text);
  if (amount === null) return null;
  const { value, unit, per } = amount;
  if (quantity.takes_back && value.n < 0n) return null;
  if (per !== null && period !== undefined && per !== period) return null;
  // Slips write deductions with a minus, although the key already says that it is one.
  if (kind === 'amount') return unit === null || unit === 'eur' ? numberValue(absolute(value)) : null;
  if (kind === 'rate')
    return unit === null || unit === '%' || unit === '%-point' ? numberValue(hundredth(value)) : null;
  if (kind === 'duration') {
    const own = DAYS.has(unit ?? '') ? 'day' : unit;
    return own === 'day' || own === 'week' || own === 'month' || own === 'year'
      ? { type: 'duration', duration: { count: value, unit: own satisfies Duration['unit'] } }
      : null;
  }
  const converted = inUnit(value, unit, quantity);
  return converted === null ? null : numberValue(converted);
}

/** Whether the value is negative pay, which takes an earlier payment back. */
export function isTakenBack({
  written,
  quantity,
}: {
  readonly written: string;
  readonly quantity: Quantity | null;
}): boolean {
  const amount = readAmount(written, 'de') ?? bare(written);
  return quantity?.takes_back === true && amount !== null && amount.value.n < 0n;
}

/** An amount in a notation that only English has: `1,234.56`, `3,000`. */
function bare(text: string): ReturnType<typeof readAmount> {
  const parts = /^(?:€|EUR)?\s?(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?)\s?(?:€|EUR|Euro)?$/iu.exec(text.trim());
  const value = parts === null ? null : readNumber(parts[1]!, 'en', 'eur');
  return value === null ? null : { value, unit: null, per: null };
}

const hundredth = (value: Rational): Rational => multiply(value, rational(1n, 100n));

/** A number of days, hours or things in the unit of its quantity; `null` if it has a unit that does not fit. */
function inUnit(value: Rational, unit: string | null, quantity: Quantity): Rational | null {
  if (unit === null) return value;
  const { kind } = quantity;
  const own = quantity.unit === null ? null : unitOf(quantity.unit);
  if (kind === 'hours') {
    const minutes = unit === 'minute' ? value : unit === 'hour' ? multiply(value, rational(60n)) : null;
    if (minutes === null) return null;
    return own === 'minute' ? minutes : multiply(minutes, rational(1n, 60n));
  }
  if (kind === 'days') {
    if (DAYS.has(unit)) return value;
    return unit === 'week' && own === 'kalendertag' ? multiply(value, rational(7n)) : null;
  }
  if (own === 'year' && unit === 'month') return multiply(value, rational(1n, 12n));
  return own === unit ? value : null;
}
