import {
  evaluate,
  isEqual,
  isNone,
  parseExpression,
  partsOf,
  truthOf,
  type Expression,
  type Lookup,
} from './expression.ts';
import type { ReviewBase } from './review-base.ts';
import { format, multiply, placesOf, rational, type Rational } from './rational.ts';
import { quantityNamed } from './vocabulary.ts';
import type { Language } from '../source.ts';
import { wageTaxYearOf } from './functions.ts';
import type { WageTaxYear } from './wage-tax.ts';

type Unit = 'amount' | 'rate' | 'plain';

interface Operand {
  readonly number: Rational;
  readonly unit: Unit;
}

/** How a result is worked out, with the figures of the case: `3.500,00 € × 15,9 % ÷ 2`. */
export type Calculation = readonly (Operand | '+' | '−' | '×' | '÷' | '(' | ')')[];

const SIGNS = { '+': '+', '-': '−', '*': '×', '/': '÷' } as const;
/** Functions that only round. */
const ROUNDING = new Set(['cent', 'cent_down']);
/** Functions that choose one of several amounts. */
const CHOOSING = new Set(['min', 'max', 'nearest']);

/** The calculation of a formula; `null` where it is a single figure, or no arithmetic. */
export function calculationOf(formula: string, lookup: Lookup, base: ReviewBase): Calculation | null {
  const whole = unfolded(parseExpression(formula), lookup, base);
  const steps = stepsOf(whole, lookup, base, true);
  return steps === null || steps.length < 2 ? null : steps;
}

/** What stands behind a formula that is only the name of a term. */
function unfolded(expression: Expression, lookup: Lookup, base: ReviewBase): Expression {
  const inner = chosen(expression, lookup);
  return inner.type === 'Identifier' && Object.hasOwn(base.terms, inner.name)
    ? unfolded(parseExpression(base.terms[inner.name]!), lookup, base)
    : inner;
}

/** `isSum`: where a sum may stand without brackets. */
function stepsOf(
  expression: Expression,
  lookup: Lookup,
  base: ReviewBase,
  isSum: boolean,
): Calculation | null {
  const inner = chosen(expression, lookup);
  if (inner.type !== 'BinaryExpression' || !(inner.operator in SIGNS)) return operandOf(inner, lookup, base);
  const sign = SIGNS[inner.operator as keyof typeof SIGNS];
  const isAdding = sign === '+' || sign === '−';
  // Rates are added up at once: `15,9 %` says more than its parts.
  if (isAdding && !isSum && unitOf(inner, base) !== 'amount') return operandOf(inner, lookup, base);
  const left = stepsOf(inner.left as Expression, lookup, base, isAdding);
  const right = stepsOf(inner.right as Expression, lookup, base, sign === '+');
  if (left === null || right === null) return null;
  // Nothing is worked out by a zero that is added, or that all is multiplied with.
  if (isAdding && isZero(right)) return left;
  if (sign === '+' && isZero(left)) return right;
  if (sign === '×' && inner.right.type === 'Literal' && isZero(right)) return operandOf(inner, lookup, base);
  const steps: Calculation =
    right.length > 1 && !isAdding && !right.includes('(')
      ? [...left, sign, '(', ...right, ')']
      : [...left, sign, ...right];
  return isAdding && !isSum ? ['(', ...steps, ')'] : steps;
}

const isZero = ([first, ...others]: Calculation): boolean =>
  others.length === 0 && typeof first === 'object' && first.number.n === 0n;

/** How a formula that calls the programme of wage tax comes to the tax of the year; `null` for any other. */
export function wageTaxBehind(formula: string, lookup: Lookup): WageTaxYear | null {
  const inner = chosen(parseExpression(formula), lookup);
  if (inner.type !== 'CallExpression' || (inner.callee as { name?: string }).name !== 'lohnsteuer')
    return null;
  const values = (inner.arguments as Expression[]).map((each) => evaluate(each, lookup));
  return wageTaxYearOf(values.filter((value) => value !== null));
}

/**
 * The figures by which a formula came to its result, in order: those of the branch that was taken, and of amounts of which
 * the lower or the higher counts, of the one that counted.
 */
export function figuresBehind(
  formula: string,
  lookup: Lookup,
  { figures, terms }: ReviewBase,
): readonly string[] {
  const behind = (expression: Expression): string[] => {
    const inner = chosen(expression, lookup);
    if (inner.type === 'Identifier') {
      if (Object.hasOwn(figures, inner.name)) return [inner.name];
      return Object.hasOwn(terms, inner.name) ? behind(parseExpression(terms[inner.name]!)) : [];
    }
    if (inner.type === 'CallExpression' && CHOOSING.has((inner.callee as { name?: string }).name ?? '')) {
      const result = evaluate(inner, lookup);
      const counted = (inner.arguments as Expression[]).find((each) => {
        const value = evaluate(each, lookup);
        return value !== null && result !== null && isEqual(value, result) === true;
      });
      return counted === undefined ? [] : behind(counted);
    }
    return partsOf(inner).flatMap(behind);
  };
  return [...new Set(behind(parseExpression(formula)))];
}

function operandOf(expression: Expression, lookup: Lookup, base: ReviewBase): Calculation | null {
  const value = evaluate(expression, lookup);
  return value?.type === 'number' ? [{ number: value.number, unit: unitOf(expression, base) }] : null;
}

/** The branch that is taken, and what is rounded rather than the rounding. */
function chosen(expression: Expression, lookup: Lookup): Expression {
  if (expression.type === 'ConditionalExpression') {
    const test = truthOf(evaluate(expression.test as Expression, lookup));
    if (test === null) return expression;
    return chosen((test ? expression.consequent : expression.alternate) as Expression, lookup);
  }
  if (expression.type === 'BinaryExpression' && expression.operator === '??') {
    const left = evaluate(expression.left as Expression, lookup);
    return chosen((left === null || isNone(left) ? expression.right : expression.left) as Expression, lookup);
  }
  const [argument] = expression.type === 'CallExpression' ? expression.arguments : [];
  if (
    expression.type === 'CallExpression' &&
    ROUNDING.has((expression.callee as { name?: string }).name ?? '')
  )
    return chosen(argument as Expression, lookup);
  return expression;
}

/** What a formula gives, by what its names are. */
function unitOf(expression: Expression, base: ReviewBase): Unit {
  switch (expression.type) {
    case 'Identifier':
      return unitOfName(expression.name, base);
    case 'BinaryExpression': {
      const units = [expression.left, expression.right].map((part) => unitOf(part as Expression, base));
      if (expression.operator === '/' && units[0] === units[1]) return 'plain';
      return units.includes('amount') ? 'amount' : units.includes('rate') ? 'rate' : 'plain';
    }
    case 'ConditionalExpression':
      return firstUnit([expression.consequent, expression.alternate] as Expression[], base);
    case 'CallExpression':
      return firstUnit(expression.arguments as Expression[], base);
    case 'UnaryExpression':
      return unitOf(expression.argument as Expression, base);
    case 'Literal':
      return 'plain';
  }
}

const firstUnit = (expressions: readonly Expression[], base: ReviewBase): Unit =>
  expressions.map((each) => unitOf(each, base)).find((unit) => unit !== 'plain') ?? 'plain';

function unitOfName(name: string, base: ReviewBase): Unit {
  const kind = quantityNamed(name, base.quantities)?.kind;
  if (kind !== undefined) return kind === 'amount' || kind === 'rate' ? kind : 'plain';
  if (Object.hasOwn(base.terms, name)) return unitOf(parseExpression(base.terms[name]!), base);
  const written = Object.hasOwn(base.figures, name) ? base.figures[name]![0]?.written : undefined;
  if (written === undefined) return 'plain';
  return written.endsWith('Euro') ? 'amount' : /Prozent$|punkten?$/u.test(written) ? 'rate' : 'plain';
}

/** A calculation as the language writes it. */
export const sayCalculation = (calculation: Calculation, language: Language): string =>
  calculation
    .map((step) => {
      if (typeof step === 'string') return step;
      const { number, unit } = step;
      if (unit === 'amount') return `${format(number, 2, language)} €`;
      const shown = unit === 'rate' ? multiply(number, rational(100n)) : number;
      return `${format(shown, placesOf(shown, 4), language)}${unit === 'rate' ? ' %' : ''}`;
    })
    .join(' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')');

/** The tax of the year, and what of the pay of the year it is taken of. */
export function sayWageTax(
  { pay, allowance, lumpSums, provision, income, tax }: WageTaxYear,
  language: Language,
): string {
  const money = (amount: Rational): string => `${format(amount, 2, language)} €`;
  const german = language === 'de';
  const off: readonly (readonly [string, Rational])[] = [
    [german ? 'Freibetrag' : 'allowance', allowance],
    [german ? 'Vorsorgepauschale' : 'insurance allowance', provision],
    [german ? 'Pauschbeträge' : 'lump sums', lumpSums],
  ];
  const less = off
    .filter(([, amount]) => amount.n !== 0n)
    .map(([name, amount]) => ` − ${name} ${money(amount)}`);
  return german
    ? ` Jahresarbeitslohn ${money(pay)}${less.join('')}: zu versteuern ${money(income)}, Steuer des Jahres ${money(tax)}.`
    : ` Pay of the year ${money(pay)}${less.join('')}: taxable ${money(income)}, tax of the year ${money(tax)}.`;
}
