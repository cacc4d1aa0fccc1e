import type { Language } from '../source.ts';
import { asTyped, sayRate, type Calculation } from './calculation.ts';
import {
  absolute,
  compare,
  equal,
  format,
  multiply,
  negate,
  rational,
  round,
  subtract,
  sum,
  type Rational,
} from './rational.ts';

interface Part {
  readonly name: string | null;
  readonly amount: Rational;
}

/** A term of a sum, with its sign. */
interface Term {
  readonly sign: '+' | '−';
  readonly steps: Calculation;
}

/**
 * Explains an amount that differs from the result by rounding its components in another way: each rate alone, regular
 * pay and a one-off payment alone, each term alone, or nothing before the end. `null` if none of these gives the
 * amount.
 *
 * @example sayOtherRounding(…, 'de')
 * 'Beitrag (14,6 %) und Zusatzbeitrag (1,1 %) je für sich gerundet: 76,44 € + 5,75 € = 82,19 €; …'
 */
export function sayOtherRounding(
  calculation: Calculation,
  value: Rational,
  { oneOffs, basis }: { readonly oneOffs: readonly Rational[]; readonly basis: string },
  language: Language,
): string | null {
  const given = round(value, 2);
  const german = language === 'de';
  const typed = asTyped(calculation);
  const terms = termsOf(calculation);
  const isSum = terms !== null && terms.length > 1;
  if (typed !== null && isSum && equal(round(typed, 2), given)) {
    const whole = `${format(typed, 4, language)} €`;
    return german
      ? `Ohne Rundung der einzelnen Teile sind es ${whole}, gerundet ${money(given, language)}; auch das wird nicht beanstandet.`
      : `Without rounding single parts it is ${whole}, rounded ${money(given, language)}; that is not objected to either.`;
  }
  if (typed !== null && !isSum && equal(round(typed, 2), given))
    return german
      ? `Genau sind es ${format(typed, 4, language)} €, kaufmännisch gerundet ${money(given, language)}; auch das wird nicht beanstandet.`
      : `It is exactly ${format(typed, 4, language)} €, rounded ${money(given, language)}; that is not objected to either.`;
  const found = [termsApart(terms ?? []), ...splitsOf(terms ?? [], oneOffs, language)].find(
    (parts) => parts.length > 1 && equal(sum(parts.map(({ amount }) => amount)), given),
  );
  if (found === undefined) return null;
  const names = found.flatMap(({ name }) => name ?? []);
  const named = names.length < found.length ? (german ? 'Die Teile' : 'The parts') : listed(names, german);
  const added = `${found.map(({ amount }, at) => signed(amount, at, language)).join(' ')} = ${money(given, language)}`;
  const said = german
    ? `${named} je für sich gerundet: ${added}; auch das ist richtig${basis}.`
    : `${named} each rounded apart: ${added}; that is right too${basis}.`;
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}

/**
 * The terms of a sum, each rounded, if they give the result: `168,55 € + 94,76 € = 263,31 €`; `null` if there is a
 * single term, or they do not give it.
 */
export function sayTermsApart(calculation: Calculation, result: Rational, language: Language): string | null {
  const parts = termsApart(termsOf(calculation) ?? []);
  const due = round(result, 2);
  if (parts.length < 2 || !equal(sum(parts.map(({ amount }) => amount)), due)) return null;
  return `${parts.map(({ amount }, at) => signed(amount, at, language)).join(' ')} = ${money(due, language)}`;
}

/**
 * The calculation with the amount cut to cents before the last division, if this gives the result. It explains a yearly
 * tax of which a twelfth is due.
 */
export function sayCutBefore(calculation: Calculation, result: Rational, language: Language): string | null {
  const by = calculation.at(-1);
  const whole = calculation.at(-2) === '÷' ? asTyped(calculation.slice(0, -2)) : null;
  if (whole === null || typeof by !== 'object' || 'among' in by) return null;
  const cut = rational((whole.n * 100n) / whole.d, 100n);
  const part = multiply(cut, rational(by.number.d, by.number.n));
  if (!equal(rational((part.n * 100n) / part.d, 100n), round(result, 2))) return null;
  return `${money(cut, language)} ÷ ${format(by.number, 0, language)} = ${money(result, language)}`;
}

const money = (amount: Rational, language: Language): string => `${format(amount, 2, language)} €`;

function signed(amount: Rational, at: number, language: Language): string {
  const sign = amount.n < 0n ? '− ' : at > 0 ? '+ ' : '';
  return `${sign}${money(absolute(amount), language)}`;
}

const listed = (names: readonly string[], german: boolean): string =>
  `${names.slice(0, -1).join(', ')} ${german ? 'und' : 'and'} ${names.at(-1)}`;

/** The terms of a sum; `null` if it contains a choice. */
function termsOf(calculation: Calculation): readonly Term[] | null {
  const terms: { sign: Term['sign']; steps: Calculation[number][] }[] = [{ sign: '+', steps: [] }];
  let depth = 0;
  for (const step of calculation) {
    if (typeof step === 'object' && 'among' in step) return null;
    if (step === '=' || step === ':') return null;
    if (step === '(') depth += 1;
    if (step === ')') depth -= 1;
    if (depth === 0 && (step === '+' || step === '−')) terms.push({ sign: step, steps: [] });
    else terms.at(-1)!.steps.push(step);
  }
  return terms;
}

/** A share of a sum: one of the added rates, by its index, and a part of the pay. */
interface Share {
  readonly rate?: number;
  readonly pay?: Pay;
}
/** Selects a part of the pay; `null` if the pay is less than that part. */
type Pay = (whole: Rational) => Rational | null;

/** A term for one share alone; `null` if the pay is less than the share. */
function shareOf({ sign, steps }: Term, { rate, pay }: Share): Term | null {
  let isWhole = true;
  const counted = steps.map((step) => {
    if (typeof step !== 'object' || 'among' in step) return step;
    if (step.unit === 'amount') {
      const part = pay === undefined ? step.number : pay(step.number);
      if (part === null) isWhole = false;
      return { ...step, number: part ?? step.number };
    }
    return rate === undefined || step.rates.length === 0
      ? step
      : { ...step, number: step.rates[rate]!.number };
  });
  return isWhole ? { sign, steps: counted } : null;
}

/** The rounded amount of a term, of which anything in brackets is calculated first. */
function roundedTerm({ sign, steps }: Term): Rational | null {
  const [open, close] = [steps.indexOf('('), steps.lastIndexOf(')')];
  const inner = open === -1 ? null : asTyped(steps.slice(open + 1, close));
  const flat: Calculation =
    inner === null
      ? steps
      : [
          ...steps.slice(0, open),
          { number: round(inner, 2), unit: 'amount', rates: [] },
          ...steps.slice(close + 1),
        ];
  const amount = asTyped(flat);
  if (amount === null) return null;
  return sign === '−' ? negate(round(amount, 2)) : round(amount, 2);
}

function termsApart(terms: readonly Term[]): Part[] {
  return terms.flatMap((term) => {
    const amount = roundedTerm(term);
    return amount === null ? [] : [{ name: null, amount }];
  });
}

/** The sum of the terms of a share: each rounded or, with `once`, only the sum; empty if it is unknown. */
function partOf(name: string, terms: readonly Term[], share: Share, once = false): Part[] {
  const shares = terms.flatMap((term) => shareOf(term, share) ?? []);
  if (shares.length < terms.length) return [];
  if (once) {
    const whole = asTyped(shares.flatMap(({ sign, steps }, at) => [...(at === 0 ? [] : [sign]), ...steps]));
    return whole === null ? [] : [{ name, amount: round(whole, 2) }];
  }
  const amounts = shares.flatMap((term) => roundedTerm(term) ?? []);
  return amounts.length < terms.length ? [] : [{ name, amount: sum(amounts) }];
}

/** The shares to round apart: each rate alone, and regular pay and a one-off payment alone. */
function splitsOf(terms: readonly Term[], oneOffs: readonly Rational[], language: Language): Part[][] {
  const german = language === 'de';
  const [rates = []] = terms.flatMap(({ steps }) =>
    steps.flatMap((step) =>
      typeof step === 'object' && 'rates' in step && step.rates.length > 0 ? [step.rates] : [],
    ),
  );
  const ofRates = rates.map(({ number, called }, rate) => ({
    name: `${called ?? (german ? 'Beitrag' : 'contribution')} (${sayRate(number, language)})`,
    rate,
  }));
  const ofPays = oneOffs.map((oneOff) => [
    {
      name: german ? 'laufendes Entgelt' : 'regular pay',
      pay: (whole: Rational) => (compare(whole, oneOff) < 0 ? null : subtract(whole, oneOff)),
    },
    { name: german ? 'Einmalzahlung' : 'one-off payment', pay: () => oneOff },
  ]);
  return [
    ofRates.flatMap(({ name, rate }) => partOf(name, terms, { rate })),
    ...ofPays.flatMap((pays) => [
      pays.flatMap(({ name, pay }) => partOf(name, terms, { pay })),
      pays.flatMap(({ name, pay }) => partOf(name, terms, { pay }, true)),
      ofRates.flatMap((one) =>
        pays.flatMap(({ name, pay }) =>
          partOf(`${one.name} ${german ? 'auf' : 'on'} ${name}`, terms, { rate: one.rate, pay }),
        ),
      ),
    ]),
  ];
}
