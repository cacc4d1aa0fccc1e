import { monthName } from '../answer/templates.ts';
import type { Language } from '../source.ts';
import type { Figure, Span } from './figure.ts';
import { isOfTime } from './quoted-years.ts';
import {
  absolute,
  equal,
  format,
  multiply,
  placesOf,
  rational,
  round,
  subtract,
  type Rational,
} from './rational.ts';
import type { Comparison } from './rules.ts';
import type { Duration, RuleValue } from './value.ts';
import type { Quantity } from './vocabulary.ts';
import type { Check } from './check.ts';
import type { Fact } from './facts.ts';
import type { SlipTime } from './slip-time.ts';
import type { Reason } from './judge.ts';
import type { Compared, Judged } from './outcome.ts';
import type { SingleError } from './single-error.ts';
import { checkOf } from './answer-section.ts';
import { asTyped, sayBeforeResult, sayCalculation, type Calculation } from './calculation.ts';
import { sayCutBefore, sayOtherRounding, sayTermsApart } from './other-rounding.ts';
import { sayTwelfth, sayWageTax } from './say-wage-tax.ts';
import { sayDay } from './calendar.ts';
import { TELLS_CASE } from './share.ts';

const BOUNDS: Readonly<Record<Language, Readonly<Record<Comparison, string>>>> = {
  de: { exactly: '', at_least: 'mindestens ', at_most: 'höchstens ', more_than: 'mehr als ' },
  en: { exactly: '', at_least: 'at least ', at_most: 'at most ', more_than: 'more than ' },
};
/** Words for limits of a day, which is not less or more but earlier or later. */
const DAY_BOUNDS: typeof BOUNDS = {
  de: { exactly: '', at_least: 'frühestens ', at_most: 'spätestens ', more_than: 'nach dem ' },
  en: { exactly: '', at_least: 'at the earliest ', at_most: 'at the latest ', more_than: 'after ' },
};
/** The provision on how contributions are rounded. */
const ROUNDED_BY = ' (§ 2 Abs. 1 BVV)';
const PARTS_ROUNDED: Readonly<Record<Language, string>> = {
  de: ' Einzelne Teile sind dabei für sich auf Cent gerundet.',
  en: ' Single parts are rounded to the cent apart.',
};
const CUT_OFF: Readonly<Record<Language, string>> = {
  de: ' Bruchteile eines Cents fallen dabei weg.',
  en: ' Fractions of a cent are left out.',
};
/** Words for a rule that does not depend on the month. */
const ANY_TIME: Readonly<Record<Language, string>> = {
  de: 'gilt zu jeder Zeit',
  en: 'at any time',
};
/** The words before further rules that a correct value complies with. */
const KEPT: Readonly<Record<Language, string>> = { de: 'Eingehalten ist auch', en: 'Also kept' };
const MAX_QUOTE = 320;

/** The rank of a rule: first rules that give the value, then rules with a range, then rules that only limit it. */
const rankOf = ({ rule, bound, isOfValue }: Judged): number =>
  rule.onlyLimits ? 2 : bound.comparison === 'exactly' && !isOfValue ? 0 : 1;

/**
 * The line of a judged fact, from all rules that judged it. The rule that says most gives the value that it must have.
 */
export function sayFact(
  fact: Fact,
  judged: readonly Judged[],
  time: SlipTime,
  language: Language,
  isReading: boolean,
): Check {
  const [first, ...others] = judged.toSorted((a, b) => rankOf(a) - rankOf(b));
  const { bound, holds, workedOutOf, calculation, rule, taxYear, shown } = first!;
  const own = fact.quantity!;
  const quantity = fact.isWorkdays ? { ...own, unit: 'Werktage' } : own;
  const reading = bound.reading === null ? '' : ` – ${bound.reading}`;
  const due = `${sayDue(first!, quantity, language)}${reading}`;
  const further = others.filter((each) => holds && each.isOfCase && !each.isOfValue && !each.rule.onlyLimits);
  const kept = further.map((each) => ` ${KEPT[language]}: ${sayDue(each, quantity, language)}.`).join('');
  const figures = judged.flatMap((each) => each.figures);
  const sources = [...judged.flatMap((each) => each.rule.restsOn), ...figures.map(({ source }) => source)];
  const correct = language === 'de' ? 'richtig ' : 'correct ';
  const rests = workedOutOf.map(
    ({ key, value, quantity: of, isPutRight }) =>
      `${key} ${isPutRight === true ? correct : ''}${sayValue(value!, of!, language)}`,
  );
  const isTimed = own.per === 'month' || judged.some((each) => each.isOfTime || each.taxYear !== null);
  const when = !isTimed ? ANY_TIME[language] : typeof time === 'object' ? sayTime(time, language) : null;
  const circumstances = [...(when === null ? [] : [when]), ...rests].join('; ');
  const around = circumstances === '' ? '' : ` (${circumstances})`;
  const basis = first!.figures.at(-1)?.section ?? rule.basis[0];
  const unquoted = basis === undefined ? '' : sayBasis(basis, language);
  const proofs = [first!, ...further].flatMap((each) => proofsOf(each, time));
  const quote = proofs.length > 0 ? quoted(proofs, language) : unquoted;
  const as = language === 'de' ? 'gelesen als' : 'read as';
  const stated = `${sayValue(fact.value!, quantity, language)}${isReading ? ` (${as} ${own.key})` : ''}`;
  const isRounded =
    holds && bound.comparison === 'exactly' && !isSaidAlike(fact.value!, bound.value, quantity);
  const isContribution = [...figures.map(({ section }) => section), ...rule.basis].some((each) =>
    each.includes('SGB'),
  );
  const steps =
    taxYear === null
      ? ''
      : `${sayWageTax(taxYear, language)}${calculation === null ? '' : sayTwelfth(taxYear, language)}`;
  const amounts = shown.map(({ name, calculation: by }) => ` ${name}: ${sayCalculation(by, language)}.`);
  const sentence = rule.says ?? first!.limit;
  const says = sentence === null || language !== 'de' ? '' : ` ${sentence}`;
  // Remarks are in German only.
  const remarked = language === 'de' ? first!.remarks : [];
  const remarks = `${isRounded ? sayRounded(first!, isContribution, language) : sayRounding(calculation, bound.value, quantity, language)}${steps}${amounts.join('')}${kept}${says}${remarked.map((each) => ` ${each.says}`).join('')}`;
  const german = holds ? (rule.onlyLimits ? 'geprüft nur die Grenze' : 'maßgeblich') : 'richtig';
  const english = holds ? (rule.onlyLimits ? 'only the limit is checked' : 'the rule says') : 'correct';
  const detail =
    language === 'de'
      ? `Angegeben: ${stated}; ${german}: ${due}${around}.${remarks}${quote}`
      : `Given: ${stated}; ${english}: ${due}${around}.${remarks}${quote}`;
  const ids = [...new Set([...sources, ...remarked.flatMap(({ rests_on }) => rests_on)])];
  return checkOf(holds ? 'ok' : 'warn', fact.key, detail, ids);
}

/** The line of a value whose error alone explains several warnings. */
export function sayError(
  { fact: { key, value, quantity }, bound, says, restsOn }: SingleError,
  time: SlipTime,
  language: Language,
): Check {
  const [stated, correct] = [value!, bound.value].map((each) => sayValue(each, quantity!, language));
  const when = typeof time === 'object' ? ` (${sayTime(time, language)})` : '';
  const detail =
    language === 'de'
      ? `Angegeben: ${stated}; richtig: ${correct}${when}. ${says}`
      : `Given: ${stated}; correct: ${correct}${when}.`;
  return checkOf('warn', key, detail, restsOn);
}

/** The value that a rule requires, with its calculation: `mindestens 160 × 9,82 € = 1.571,20 €`. */
function sayDue({ bound, calculation, taxYear }: Judged, quantity: Quantity, language: Language): string {
  const bounds = bound.value.type === 'date' ? DAY_BOUNDS : BOUNDS;
  const twelfth =
    taxYear === null || taxYear.tax.n === 0n ? '' : `${format(taxYear.tax, 2, language)} € ÷ 12 = `;
  const worked = calculation === null ? twelfth : `${sayBeforeResult(calculation, language)} `;
  return `${bounds[language][bound.comparison]}${worked}${sayValue(bound.value, quantity, language)}`;
}

/** The sentences of the base that are quoted for a rule. */
function proofsOf({ quotes, figures, named: all }: Judged, time: SlipTime): readonly Figure[] {
  if (quotes.length > 0) return quotes;
  const named = all.filter((figure) => isOfTime(figure, time));
  if (named.length > 1) return named;
  const decisive = figures.findLast((figure) => isOfTime(figure, time));
  return decisive === undefined ? [] : [decisive];
}

/**
 * Why an amount that differs from the result is still correct: which components are rounded in another way, if that
 * explains it.
 */
function sayRounded(
  { fact, bound, calculation, given }: Judged,
  isContribution: boolean,
  language: Language,
): string {
  const oneOffs = given.flatMap(({ quantity, value }) =>
    quantity?.key.startsWith('einmalzahlung') === true && value?.type === 'number' ? [value.number] : [],
  );
  const [value, due] = [amountOf(fact.value!), amountOf(bound.value)];
  const basis = isContribution ? ROUNDED_BY : '';
  const other =
    calculation === null ? null : sayOtherRounding(calculation, value, { oneOffs, basis }, language);
  if (other !== null) return ` ${other}`;
  const cents = multiply(absolute(subtract(value, due)), rational(100n));
  const off = format(cents, 0, language);
  if (language === 'en') return ` A difference of ${off} cents by rounding is not objected to.`;
  const counted =
    cents.n === cents.d
      ? 'Ein Cent Unterschied durch Rundung wird'
      : `${off} Cent Unterschied durch Rundung werden`;
  return ` ${counted} nicht beanstandet.`;
}

/** An amount in full cents. */
const amountOf = (value: RuleValue): Rational =>
  value.type === 'number' ? round(value.number, 2) : rational(0n);

/** Why a reader who types the calculation gets another amount, if that is so. */
function sayRounding(
  calculation: Calculation | null,
  value: RuleValue,
  { kind }: Quantity,
  language: Language,
): string {
  const typed = calculation === null ? null : asTyped(calculation);
  if (typed === null || value.type !== 'number' || kind !== 'amount') return '';
  if (equal(round(typed, 2), round(value.number, 2))) return '';
  const isOneProduct = !calculation!.some((step) => step === '+' || step === '−');
  if (isOneProduct && subtract(typed, value.number).n > 0n) return CUT_OFF[language];
  const german = language === 'de';
  const apart = sayTermsApart(calculation!, value.number, language);
  if (apart !== null)
    return german ? ` Die Teile je für sich gerundet: ${apart}.` : ` The parts each rounded apart: ${apart}.`;
  const cut = sayCutBefore(calculation!, value.number, language);
  if (cut !== null)
    return german
      ? ` Vor der Teilung und danach auf Cent abgerundet: ${cut}.`
      : ` Cut to the cent before the division and after it: ${cut}.`;
  return PARTS_ROUNDED[language];
}

/** The required value: `49,52 €`, `mindestens 9,60 €`. */
export const sayBound = ({ fact, bound }: Compared, language: Language): string =>
  `${(bound.value.type === 'date' ? DAY_BOUNDS : BOUNDS)[language][bound.comparison]}${sayValue(bound.value, fact.quantity!, language)}`;

const isSaidAlike = (a: RuleValue, b: RuleValue, quantity: Quantity): boolean =>
  a.type !== 'number' ||
  b.type !== 'number' ||
  quantity.kind !== 'amount' ||
  sayValue(a, quantity, 'de') === sayValue(b, quantity, 'de');

/** Provisions as a passage names them, without laws that only prolonged them later. */
function sayBasis(section: string, language: Language): string {
  const provisions = section.replace(/, Gesetz vom .*$/u, '');
  return language === 'de' ? ` Rechtsgrundlage: ${provisions}.` : ` Legal basis: ${provisions}.`;
}

/** The sentences of figures, each once. */
function quoted(figures: readonly Figure[], language: Language): string {
  const sentences = new Set(figures.map(shortened));
  const quotes = [...sentences].map((each) => (language === 'de' ? `„${each}“` : `“${each}”`)).join(' ');
  const [one, several] = language === 'de' ? ['Fundstelle', 'Fundstellen'] : ['Source', 'Sources'];
  return ` ${sentences.size === 1 ? one : several}: ${quotes}`;
}

/** The sentence of a figure; of a long sentence the part with the figure. */
function shortened({ quote, written }: Figure): string {
  const at = quote.toLowerCase().indexOf(written.toLowerCase());
  const from = at < MAX_QUOTE - 80 ? 0 : quote.indexOf(' ', at - MAX_QUOTE / 2) + 1;
  const rest = quote.slice(from);
  const cut = rest.length <= MAX_QUOTE ? rest : `${rest.slice(0, rest.lastIndexOf(' ', MAX_QUOTE))} …`;
  return `${from === 0 ? '' : '… '}${cut}`.replace(/[,;]$/u, '');
}

const UNITS: Readonly<Record<Language, Readonly<Record<Duration['unit'], readonly [string, string]>>>> = {
  de: {
    day: ['Tag', 'Tage'],
    week: ['Woche', 'Wochen'],
    month: ['Monat', 'Monate'],
    year: ['Jahr', 'Jahre'],
  },
  en: { day: ['day', 'days'], week: ['week', 'weeks'], month: ['month', 'months'], year: ['year', 'years'] },
};
const TRUTH: Readonly<Record<Language, readonly [string, string]>> = {
  de: ['nein', 'ja'],
  en: ['no', 'yes'],
};

/** The unit after a value: `1 Jahr`, `1 Stunde`, `1 Tag`. In the vocabulary units are in the plural. */
const unitFor = ({ n, d }: Rational, unit: string): string =>
  n !== d ? unit : unit.replace(/(?<=Stunde|Minute)n$|(?<=Jahr|[Tt]ag|Monat)e$/u, '');

/** A value in the notation of the language: `1.234,56 €`, `18,6 %`, `31.08.2021`, `4 Wochen`. */
export function sayValue(value: RuleValue, { kind, unit, digits }: Quantity, language: Language): string {
  switch (value.type) {
    case 'number': {
      if (kind === 'amount') {
        return `${format(value.number, 2, language)} €`;
      }
      if (kind === 'rate') {
        const percent = multiply(value.number, rational(100n));
        // A number that needs more than four decimals comes from a division; two decimals are enough for it.
        const isExact = (10_000n * percent.n) % percent.d === 0n;
        return `${format(percent, isExact ? placesOf(percent, 4) : 2, language)} %`;
      }
      if (kind === 'code') return String(value.number.n).padStart(digits ?? 1, '0');
      const counted = format(value.number, placesOf(value.number, 4), language);
      return unit === null || unit === 'Jahr' ? counted : `${counted} ${unitFor(value.number, unit)}`;
    }
    case 'duration': {
      const { count, unit: of } = value.duration;
      const one = count.n === count.d;
      return `${format(count, placesOf(count, 2), language)} ${UNITS[language][of][one ? 0 : 1]}`;
    }
    case 'date': {
      return sayDay(value.day, language);
    }
    case 'unread':
      return '?';
    case 'truth':
      return TRUTH[language][value.truth ? 1 : 0];
    case 'choice':
      return value.choice
        .replaceAll('_', '-')
        .replaceAll(/(?<=^|-)\p{Ll}/gu, (letter) => letter.toUpperCase())
        .replace(/(?<=Th|W)ue(?=r)/u, 'ü');
  }
}

/** A time in words: `August 2021`, `2021`, `Januar 2021 bis März 2021`. */
function sayTime({ from, to }: Span, language: Language): string {
  const year = from?.slice(0, 4) ?? '';
  if (from === `${year}-01` && to === `${year}-12`) return year;
  if (from === null || to === null) return '';
  const [first, last] = [monthName(from, language), monthName(to, language)];
  return from === to ? first : `${first} ${language === 'de' ? 'bis' : 'to'} ${last}`;
}

const PERIODS: Readonly<Record<Language, Readonly<Record<NonNullable<Quantity['per']>, string>>>> = {
  de: { hour: 'Stunde', day: 'Tag', week: 'Woche', month: 'Monat', year: 'Jahr' },
  en: { hour: 'hour', day: 'day', week: 'week', month: 'month', year: 'year' },
};

/** The possible meanings of a key, and keys that have one meaning. */
function sayMeanings(key: string, meanings: readonly Quantity[], language: Language): string {
  const german = language === 'de';
  const periods = meanings.map(({ per }) => (per === undefined ? null : PERIODS[language][per]));
  const areOfPeriods = !periods.includes(null) && new Set(periods).size === periods.length;
  const asked = areOfPeriods ? `${periods.join(german ? ' oder ' : ' or ')}? ` : '';
  const keys = meanings
    .map((each, at) => (areOfPeriods ? `${each.key} (${periods[at]})` : each.key))
    .join(', ');
  return german
    ? `Nicht eindeutig ist ${key}: ${asked}Eindeutig sind ${keys}.`
    : `It is not clear what ${key} means: ${asked}Clear are ${keys}.`;
}

/** The reason why a fact was not judged, in a sentence. */
export function sayReason(reason: Reason, language: Language): string {
  const german = language === 'de';
  switch (reason.kind) {
    case 'unknown key':
      return german
        ? 'Diese Bezeichnung steht nicht im Vokabular der Wissensbasis.'
        : 'This key is not in the vocabulary of the knowledge base.';
    case 'sum only':
      return german
        ? 'Geprüft wurde nur, ob die Summe der Bestandteile stimmt.'
        : 'Only the sum of the components was checked.';
    case 'no sum':
      return german
        ? 'Die Rechnung lässt sich nicht nachrechnen: Bestandteile fehlen, sind nicht lesbar oder haben verschiedene Einheiten, oder ihr Vorzeichen ist unklar.'
        : 'The calculation cannot be checked: components are missing, cannot be read or have different units, or their sign is not clear.';
    case 'unreadable':
      return german
        ? 'Der Wert ist nicht lesbar oder hat nicht die Einheit, die das Vokabular vorgibt.'
        : 'The value cannot be read, or it does not have the unit from the vocabulary.';
    case 'no rule':
      return german ? 'Für diese Angabe gibt es keine Regel.' : 'There is no rule for this fact.';
    case 'other case': {
      const by = reason.keys.join('; ');
      if (by === '')
        return german
          ? 'Nicht nachgerechnet: Für diesen Fall hat die Wissensbasis keine Regel.'
          : 'Not recomputed: the knowledge base has no rule for this case.';
      return german
        ? `In diesem Fall wird die Angabe nicht nachgerechnet: ${by}.`
        : `In this case the value is not recomputed: ${by}.`;
    }
    case 'limit':
      return german ? reason.says : sayReason({ kind: 'other case', keys: reason.keys }, language);
    case 'two numbers': {
      const [small, large] = reason.numbers.map(
        (number) => `${format(number, Math.max(2, placesOf(number, 3)), language)} €`,
      );
      return german ? `Nicht eindeutig: ${small} oder ${large}?` : `Not clear: ${small} or ${large}?`;
    }
    case 'several meanings':
      return sayMeanings(reason.key, reason.meanings, language);
    case 'unclear year':
      return german
        ? 'Das Jahr ist nicht eindeutig; vierstellig ist es das.'
        : 'The year is not clear; with four digits it is.';
    case 'case':
    case 'not recomputed':
      return TELLS_CASE[reason.kind][language];
    case 'no time':
      return german
        ? 'Der Abrechnungsmonat fehlt oder ist nicht eindeutig.'
        : 'The payroll month is missing or not clear.';
    case 'contradicting times':
      return german
        ? 'Die Angaben zum Abrechnungsmonat widersprechen sich.'
        : 'The facts give different payroll months.';
    case 'no passage':
      return german
        ? `Für ${sayTime(reason.time, language)} kennt die Wissensbasis das Recht hierzu nicht; sie hat nur Fundstellen für andere Zeiten.`
        : `For ${sayTime(reason.time, language)} the knowledge base does not know the law on this; it only has passages for other times.`;
    case 'not given':
      return german ? 'Die Angabe ist leer.' : 'The value is empty.';
    case 'period':
      return german
        ? 'Die Angabe gilt für einen Monat; geprüft wird sie nur, wenn es um einen einzelnen Monat geht.'
        : 'This is for a month; it is checked only where one month is settled.';
    case 'calendar':
      return german
        ? 'Das hängt vom Kalender ab, denn Monate sind verschieden lang.'
        : 'This depends on the calendar, because months differ in length.';
    case 'unread':
      return german
        ? `Dafür müsste lesbar sein: ${reason.keys.join(', ')}.`
        : `For this check, these must be readable: ${reason.keys.join(', ')}.`;
    case 'taken back':
      return german
        ? `Nicht nachgerechnet: Ein negativer Betrag nimmt zurück, was früher gezahlt wurde (${reason.keys.join(', ')}).`
        : `Not recomputed: a negative amount takes back what was paid before (${reason.keys.join(', ')}).`;
    case 'rests on wrong':
      return german
        ? `Nicht bestätigt: Die Angabe beruht auf ${reason.keys.join(', ')}, und das ist beanstandet.`
        : `Not confirmed: this rests on ${reason.keys.join(', ')}, which is warned of.`;
    case 'missing':
      return german
        ? `Für die Prüfung fehlt: ${reason.keys.join(', ')}.`
        : `Missing for this check: ${reason.keys.join(', ')}.`;
    case 'contradicting facts':
      return german
        ? `Diese Angaben widersprechen sich: ${reason.keys.join(', ')}.`
        : `These facts contradict each other: ${reason.keys.join(', ')}.`;
  }
}
