import type { Language } from '../source.ts';
import type { Check, Computation, Fact, ReviewContext } from './check.ts';
import {
  absolute,
  compare,
  decimal,
  equal,
  format,
  multiply,
  negate,
  placesOf,
  rational,
  round,
  subtract,
  scaled,
  sum,
  type Rational,
} from './rational.ts';
import { ARITHMETIC, checkOf, oneLine } from './answer-section.ts';
import { readValue, type Amount } from './read-value.ts';
import { foldedWords } from './folded-words.ts';

interface Term {
  readonly key: string;
  readonly amount: Amount;
}

const CENT = decimal('0.01');

/**
 * Whether the components of the computation add up exactly to its result. If the result is money, percentages are taken
 * of the basis. Nothing is judged if a value cannot be read, if units differ, or if a component may be an unmarked
 * deduction.
 *
 * @example arithmetic({ computation: { label: 'Brutto', result: '300 €', components: [{ key: 'a', value: '100 €' }, …]
 * } }, 'de')
 */
export function arithmetic({ computation, facts }: ReviewContext, language: Language): Check[] {
  if (computation === undefined) return [];
  const read = readComputation(computation, language);
  if (read === null) return [];
  const { result, terms } = read;
  const basis = basisOf(computation, facts ?? [], language);
  if (terms.some(({ amount }) => isRate(amount)) && result.unit === 'eur') {
    return basis === null ? [] : percentages(computation, terms, basis, result, language);
  }
  if (!terms.every(({ amount }) => canBeAdded(amount, result))) return [];
  return plainSum(computation, terms, result, language);
}

function plainSum(
  computation: Computation,
  terms: readonly Term[],
  result: Amount,
  language: Language,
): Check[] {
  const values = signed(computation, terms, result);
  const total = sum(values);
  const holds = equal(total, result.value);
  if (!holds && (isProduct(terms, result) || mayBeDeductions(terms, values, result))) return [];
  if (holds && isGuessed(computation, terms)) return [];
  const shown = shownWith(result, language, [...values, result.value]);
  const addition = values.map((value, i) => signedText(shown(value), i)).join(' ');
  return [said(computation, language, holds, addition, shown(total), '')];
}

/** The amounts of percentages of the basis: each may be rounded to cents, or only their sum. */
function percentages(
  computation: Computation,
  terms: readonly Term[],
  basis: Rational,
  result: Amount,
  language: Language,
): Check[] {
  if (!terms.every(({ amount }) => isRate(amount) || amount.unit === 'eur')) return [];
  const shares = terms.map(({ amount }) =>
    isRate(amount) ? multiply(multiply(amount.value, basis), rational(1n, 100n)) : amount.value,
  );
  const inCents = shares.map((share) => round(share, 2));
  const totals = [sum(inCents), round(sum(shares), 2)];
  const holds = totals.some((total) => equal(total, result.value));
  const off = absolute(subtract(totals[0]!, result.value));
  // The shares of two payers are rounded and then doubled (§ 2 BVV), so rounding may make a difference of a cent for
  // each component.
  const mayBeRounding = compare(off, multiply(CENT, rational(BigInt(terms.length)))) <= 0;
  if (!holds && (mayBeRounding || mayBeDeductions(terms, inCents, result))) return [];
  const money = shownWith(result, language, [result.value]);
  const addition = terms.map(({ amount }, i) => {
    const text = isRate(amount)
      ? `${format(amount.value, placesOf(amount.value, 6), language)} % × ${money(basis)}`
      : money(amount.value);
    return signedText(text, i);
  });
  const total = holds ? result.value : totals[0]!;
  const rounded = terms.some((_, i) => !equal(shares[i]!, inCents[i]!));
  return [
    said(computation, language, holds, addition.join(' '), money(total), rounded ? ROUNDED[language] : ''),
  ];
}

const ROUNDED: Readonly<Record<Language, string>> = { de: ', auf Cent gerundet', en: ', rounded to cents' };

function said(
  { label, result }: Computation,
  language: Language,
  holds: boolean,
  addition: string,
  total: string,
  rounded: string,
): Check {
  const aspect = `${ARITHMETIC[language]} (${oneLine(label)})`;
  const german = holds
    ? `Die Bestandteile ergeben das angegebene Ergebnis: ${addition} = ${total}${rounded}.`
    : `Die Bestandteile ergeben nicht das angegebene Ergebnis: ${addition} = ${total}${rounded}; angegeben ist ${result}.`;
  const english = holds
    ? `The components add up to the given result: ${addition} = ${total}${rounded}.`
    : `The components do not add up to the given result: ${addition} = ${total}${rounded}; the given result is ${result}.`;
  return checkOf(holds ? 'ok' : 'warn', aspect, language === 'de' ? german : english, []);
}

const DEDUCTION = /^(?:abzug|abzuge|abzuglich|minus|einbehalt\w*|kurzung|deductions?|less|minderung)$/u;
const NET = /(?:netto|auszahlung|auszahlungsbetrag|\bnet\b|net pay)/iu;
const GROSS = /brutto|gross/iu;

/** Words for deductions from gross pay, and for additions whose name may contain such a word. */
const TAKEN =
  /steuer|soli|kirche|kist|lst|versicherung|beitrag|(?:^|_)(?:kv|rv|av|alv|pv|sv|gkv)(?:_|$)|abzug|abzueg|einbehalt|kuerzung|minderung|pfaendung|vorschuss|darlehen|vwl|vermoegens|deduction|tax|contribution|insurance|(?:^|_)(?:health|care|pension|unemployment)(?:_|$)/u;
const ADDED =
  /zuschuss|zuschlag|zulage|erstatt|auslage|reisekosten|steuerfrei|nachzahlung|allowance|refund|reimburse/u;

const isTaken = ({ key }: Term): boolean => TAKEN.test(key) && !ADDED.test(key) && !GROSS.test(key);

/** Whether the components of a net pay are only assumed to be deductions, because they may be additions as well. */
const isGuessed = (computation: Computation, terms: readonly Term[]): boolean =>
  isNetPay(computation, terms) &&
  terms.some(({ key }) => !GROSS.test(key) && (ADDED.test(key) || !TAKEN.test(key)));

function isNetPay({ label }: Computation, terms: readonly Term[]): boolean {
  const gross = terms.filter(({ key }) => GROSS.test(key));
  return NET.test(label) && gross.length === 1 && terms.every(({ amount }) => amount.value.n >= 0n);
}

/**
 * Components with their sign: negative if the key names a deduction, and for all components of a net pay except the
 * gross pay.
 */
function signed(computation: Computation, terms: readonly Term[], result: Amount): Rational[] {
  const isNet = isNetPay(computation, terms);
  const isDeduction = ({ key, amount }: Term): boolean =>
    amount.value.n > 0n && foldedWords(key).some((word) => DEDUCTION.test(word));
  const written = terms.map(({ amount }) => amount.value);
  const mixed = terms.map((term) => {
    const taken = isNet ? !GROSS.test(term.key) : isDeduction(term);
    return taken ? negate(term.amount.value) : term.amount.value;
  });
  // If all components are deductions, they are written without signs and add up. Contributions and taxes are deductions
  // too, although their names do not say so.
  const areDeductions = terms.every((term) => isDeduction(term) || isTaken(term));
  return areDeductions && !equal(sum(mixed), result.value) ? written : mixed;
}

/** With up to this many components every combination of signs is tried. */
const MAX_TRIED = 12;

/** Whether the result would be correct with other signs than the written ones, so that the meaning is uncertain. */
function mayBeDeductions(terms: readonly Term[], values: readonly Rational[], result: Amount): boolean {
  if (terms.some(({ amount }) => amount.value.n < 0n)) return false;
  const [total, ...parts] = scaled([result.value, ...values.map(absolute)]);
  const [first, ...rest] = parts;
  if (parts.length > MAX_TRIED) return rest.reduce((left, part) => left - part, first!) === total;
  let sums = [0n];
  for (const part of parts) sums = sums.flatMap((each) => [each + part, each - part]);
  return sums.includes(total!);
}

/** Whether the computation is a product of a rate and a number, such as hours, and no sum. */
function isProduct(terms: readonly Term[], { value }: Amount): boolean {
  const factors = terms.map(({ amount }) => amount.value);
  const [n, d] = [factors.map((each) => each.n), factors.map((each) => each.d)].map((parts) =>
    parts.reduce((product, part) => product * part),
  );
  return n! * value.d === value.n * d!;
}

/** The values of a computation; `null` if one cannot be read. Beside money, a bare number with cents is money too. */
function readComputation(
  { components = [], result }: Computation,
  language: Language,
): { readonly result: Amount; readonly terms: readonly Term[] } | null {
  const read = [result, ...components.map(({ value }) => value)].map((text) => {
    const amount = readValue(text, language);
    return amount === null ? null : { amount, hasCents: /[.,]\d{2}$/u.test(text.trim()) };
  });
  if (components.length === 0 || !read.every((each) => each !== null)) return null;
  const isMoney = read.some(({ amount }) => amount.unit === 'eur');
  const [total, ...parts] = read.map(({ amount, hasCents }): Amount =>
    isMoney && hasCents && amount.unit === null ? { ...amount, unit: 'eur' } : amount,
  );
  return { result: total!, terms: parts.map((amount, i) => ({ key: components[i]!.key, amount })) };
}

/** The money that the basis states, or the value of the fact or component that it names. */
function basisOf(
  { basis, components }: Computation,
  facts: readonly Fact[],
  language: Language,
): Rational | null {
  if (basis === undefined) return null;
  const named = [...facts, ...(components ?? [])].filter(({ key }) => key === basis.trim());
  const amount = readValue(named.length === 1 ? named[0]!.value : basis, language);
  return amount?.unit === 'eur' ? amount.value : null;
}

const isRate = ({ unit }: Amount): boolean => unit === '%' || unit === '%-point';

/** Percentages can be added to percentage points, everything else only to its own unit and period. */
function canBeAdded(amount: Amount, result: Amount): boolean {
  const unit = amount.unit === '%-point' && result.unit === '%' ? '%' : amount.unit;
  return unit === result.unit && amount.per === result.per;
}

/** Writes values with as many decimals as the longest of them needs, at least 2 for money. */
function shownWith(
  { unit }: Amount,
  language: Language,
  values: readonly Rational[],
): (value: Rational) => string {
  const needed = Math.max(...values.map((value) => placesOf(value, 6)));
  const places = unit === 'eur' ? Math.max(2, needed) : needed;
  const sign = unit === 'eur' ? ' €' : unit === '%' ? ' %' : '';
  return (value) => `${format(value, places, language)}${sign}`;
}

const signedText = (text: string, index: number): string =>
  text.startsWith('-') ? `${index === 0 ? '-' : '- '}${text.slice(1)}` : `${index === 0 ? '' : '+ '}${text}`;
