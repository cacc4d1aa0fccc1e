import {
  evaluate,
  isEqual,
  isHint,
  isNone,
  parseExpression,
  partsOf,
  truthOf,
  type Expression,
  type Lookup,
} from './expression.ts';
import type jsep from 'jsep';
import type { ReviewBase } from './review-base.ts';
import {
  add,
  equal,
  format,
  multiply,
  placesOf,
  rational,
  round,
  subtract,
  type Rational,
} from './rational.ts';
import { quantityNamed } from './vocabulary.ts';
import type { Language } from '../source.ts';
import { taxYearOf } from './functions.ts';
import type { WageTaxYear } from './wage-tax.ts';

type Unit = 'amount' | 'rate' | 'plain';

export interface Operand {
  readonly number: Rational;
  readonly unit: Unit;
  /** The rates whose sum this operand is, with German names for those that are facts; empty if it is no sum. */
  readonly rates: readonly { readonly number: Rational; readonly called: string | undefined }[];
}

/** The lowest or the highest of several amounts, each with its calculation if it has one. */
interface Choice {
  readonly of: 'min' | 'max';
  readonly among: readonly { readonly amount: Operand; readonly by: Calculation | null }[];
}

/** The calculation of a result, with the figures of the case: `3.500,00 € × 15,9 % ÷ 2`. */
export type Calculation = readonly (Operand | Choice | '+' | '−' | '×' | '÷' | '=' | ':' | '(' | ')')[];

const SIGNS = { '+': '+', '-': '−', '*': '×', '/': '÷' } as const;
/** Functions that only round. */
const ROUNDING = new Set(['cent', 'cent_down', 'half_up']);
/** Functions that select one of several amounts. */
const CHOOSING = new Set(['min', 'max', 'nearest']);

/** The calculation of a formula; `null` if it is a single figure or contains no arithmetic. */
export function calculationOf(formula: string, lookup: Lookup, base: ReviewBase): Calculation | null {
  const whole = withoutZero(parseExpression(formula), lookup, base);
  const choice = choiceOf(whole, lookup, base);
  if (choice !== null) return choice;
  const steps = stepsOf(whole, lookup, base, true);
  return steps === null || steps.length < 2 ? null : steps;
}

/** An amount with its calculation: `8.332,08 € + 7.040,66 € = 15.372,74 €`; `null` if it is unknown. */
export function amountOf(formula: string, lookup: Lookup, base: ReviewBase): Calculation | null {
  const expression = parseExpression(formula);
  const result = operandOf(expression, lookup, base);
  if (result === null) return null;
  const steps = calculationOf(formula, lookup, base);
  return steps === null ? result : [...steps, resultSign(steps), ...result];
}

/** A formula without terms that add nothing, with the name of a term replaced by its formula. */
function withoutZero(expression: Expression, lookup: Lookup, base: ReviewBase): Expression {
  const inner = unfolded(expression, lookup, base);
  if (inner.type !== 'BinaryExpression' || (inner.operator !== '+' && inner.operator !== '-')) return inner;
  const right = operandOf(inner.right as Expression, lookup, base);
  return right !== null && isZero(right) ? withoutZero(inner.left as Expression, lookup, base) : inner;
}

/**
 * The amounts of which a formula takes the lowest or the highest; `null` if it does not, or if it only replaces
 * negative values by 0.
 */
function choiceOf(expression: Expression, lookup: Lookup, base: ReviewBase): Calculation | null {
  if (!isChoice(expression)) return null;
  const of = (expression.callee as { name?: string }).name;
  if (of !== 'min' && of !== 'max') return null;
  const among = (expression.arguments as Expression[]).flatMap((each): Choice['among'] => {
    const [amount] = operandOf(each, lookup, base) ?? [];
    const steps = stepsOf(withoutZero(each, lookup, base), lookup, base, true);
    return amount === undefined || steps === null || isZero(steps)
      ? []
      : [{ amount, by: steps.length > 1 ? steps : null }];
  });
  if (among.length < expression.arguments.length || areAlike(among)) return null;
  return [{ of, among }];
}

/** Whether all amounts are equal, so that nothing is chosen. */
const areAlike = ([one, ...others]: Choice['among']): boolean =>
  one?.by === null &&
  others.every(({ amount, by }) => by === null && equal(amount.number, one.amount.number));

const isChoice = (expression: Expression): expression is jsep.CallExpression =>
  expression.type === 'CallExpression' && CHOOSING.has((expression.callee as { name?: string }).name ?? '');

/** The selected one of several amounts: the lowest, the highest or the nearest. */
function countedOf(expression: jsep.CallExpression, lookup: Lookup): Expression | undefined {
  const result = evaluate(expression, lookup);
  return (expression.arguments as Expression[]).find((each) => {
    const value = evaluate(each, lookup);
    return value !== null && result !== null && isEqual(value, result) === true;
  });
}

/** The formula of a term, if the formula is only the term's name. */
function unfolded(expression: Expression, lookup: Lookup, base: ReviewBase): Expression {
  const inner = chosen(expression, lookup);
  return inner.type === 'Identifier' && Object.hasOwn(base.terms, inner.name)
    ? unfolded(parseExpression(base.terms[inner.name]!), lookup, base)
    : inner;
}

/** The steps of a calculation. `isSum`: whether a sum may be written without brackets. */
function stepsOf(
  expression: Expression,
  lookup: Lookup,
  base: ReviewBase,
  isSum: boolean,
): Calculation | null {
  const taken = chosen(expression, lookup);
  const inner = isChoice(taken) ? chosen(countedOf(taken, lookup) ?? taken, lookup) : taken;
  if (inner.type !== 'BinaryExpression' || !(inner.operator in SIGNS)) return operandOf(inner, lookup, base);
  const sign = SIGNS[inner.operator as keyof typeof SIGNS];
  const isAdding = sign === '+' || sign === '−';
  // Rates are added first, because `15,9 %` says more than its components.
  if (isAdding && !isSum && unitOf(inner, base) !== 'amount') return operandOf(inner, lookup, base);
  const left = stepsOf(inner.left as Expression, lookup, base, isAdding);
  const right = stepsOf(inner.right as Expression, lookup, base, sign === '+');
  if (left === null || right === null) return null;
  // Adding 0, or multiplying everything by 0, explains nothing.
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
  others.length === 0 && typeof first === 'object' && 'number' in first && first.number.n === 0n;

/**
 * The calculation of the yearly tax in a formula that calls the wage tax programme, directly or in its terms; `null`
 * for other formulas.
 */
export function taxYearBehind(formula: string, lookup: Lookup, base: ReviewBase): WageTaxYear | null {
  const behind = (expression: Expression): WageTaxYear | null => {
    const inner = unfolded(expression, lookup, base);
    if (inner.type === 'CallExpression') {
      const values = (inner.arguments as Expression[]).map((each) => evaluate(each, lookup));
      const { name } = inner.callee as { name?: string };
      const year = taxYearOf(
        name ?? '',
        values.filter((value) => value !== null),
      );
      if (year !== null) return year;
    }
    for (const part of partsOf(inner)) {
      const year = behind(part);
      if (year !== null) return year;
    }
    return null;
  };
  return behind(parseExpression(formula));
}

/**
 * The figures on which the result of a formula depends, in order: those of the branch that was taken, and of the amount
 * that was chosen.
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
    if (isChoice(inner)) {
      const counted = countedOf(inner, lookup);
      return counted === undefined ? [] : behind(counted);
    }
    return partsOf(inner).flatMap(behind);
  };
  return [...new Set(behind(parseExpression(formula)))];
}

/**
 * The figures with which a result was compared, if it depends on none itself: all figures of a choice, otherwise those
 * of the branch that was not taken, such as the ceiling that an amount stays below. Figures of a condition, such as a
 * threshold, do not count. If the figure of the case is unknown, because two places have different ones, none is
 * returned.
 */
export function figuresCompared(
  formula: string,
  lookup: Lookup,
  { figures, terms }: ReviewBase,
): readonly string[] {
  const compared = (expression: Expression, withChoices: boolean): string[] => {
    const within = (each: Expression): string[] => compared(each, withChoices);
    if (expression.type === 'Identifier') {
      if (Object.hasOwn(figures, expression.name)) return [expression.name];
      return Object.hasOwn(terms, expression.name) ? within(parseExpression(terms[expression.name]!)) : [];
    }
    if (expression.type === 'BinaryExpression' && expression.operator === '??')
      return within(
        (evaluate(expression.left as Expression, lookup) === null
          ? expression.right
          : expression.left) as Expression,
      );
    if (expression.type === 'ConditionalExpression') {
      const test = truthOf(evaluate(expression.test as Expression, lookup));
      if (test === null) return [];
      const branches = [expression.consequent, expression.alternate] as Expression[];
      const [taken, other] = test ? branches : branches.toReversed();
      const found = within(taken!);
      if (found.length > 0) return found;
      const inTest = compared(expression.test as Expression, false);
      const inOther = within(other!);
      const [first, second] = taken!.type === 'Literal' ? [inTest, inOther] : [inOther, inTest];
      return first.length > 0 ? first : second;
    }
    const isLeftOut = (isChoice(expression) && !withChoices) || isHint(expression);
    return isLeftOut ? [] : partsOf(expression).flatMap(within);
  };
  return [...new Set(compared(parseExpression(formula), true))];
}

function operandOf(expression: Expression, lookup: Lookup, base: ReviewBase): readonly [Operand] | null {
  const value = evaluate(expression, lookup);
  if (value?.type !== 'number') return null;
  const unit = unitOf(expression, base);
  const rates = unit === 'rate' ? ratesIn(expression, lookup, base) : [];
  return [{ number: value.number, unit, rates: rates.length > 1 ? rates : [] }];
}

/** The rates that a formula adds. */
function ratesIn(expression: Expression, lookup: Lookup, base: ReviewBase): Operand['rates'] {
  const inner = unfolded(expression, lookup, base);
  if (inner.type === 'BinaryExpression' && inner.operator === '+')
    return [inner.left, inner.right].flatMap((each) => ratesIn(each as Expression, lookup, base));
  const value = evaluate(inner, lookup);
  if (value?.type !== 'number' || value.number.n === 0n) return [];
  const called = inner.type === 'Identifier' ? quantityNamed(inner.name, base.quantities)?.called : undefined;
  return [{ number: value.number, called }];
}

/** Replaces a condition by the branch that is taken, and a rounding by its argument. */
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

/** The unit of a formula's result, from the units of its names. */
function unitOf(expression: Expression, base: ReviewBase): Unit {
  switch (expression.type) {
    case 'Identifier':
      return unitOfName(expression.name, base);
    case 'BinaryExpression': {
      const units = [expression.left, expression.right].map((part) => unitOf(part as Expression, base));
      // `value` is the judged fact itself, which formulas divide only by values of its own unit.
      const isCount =
        units[0] === units[1] || (expression.left as Expression & { name?: string }).name === 'value';
      if (expression.operator === '/' && isCount) return 'plain';
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

/** A calculation in the notation of the language. The rates of a sum are explained where the sum occurs first. */
export const sayCalculation = (calculation: Calculation, language: Language): string =>
  calculation
    .map((step, at) => {
      if (typeof step === 'string') return step;
      if ('among' in step) return sayChoice(step, language);
      const { number, unit, rates } = step;
      if (unit === 'amount') return `${format(number, 2, language)} €`;
      if (unit === 'plain') return format(number, placesOf(number, 4), language);
      const isFirst = !calculation
        .slice(0, at)
        .some((each) => typeof each === 'object' && 'rates' in each && equal(each.number, number));
      return `${sayRate(number, language)}${isFirst && rates.length > 0 ? ` (${sayRates(rates, language)})` : ''}`;
    })
    .join(' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')')
    .replaceAll(' :', ':');

/** A calculation before its result: `3.500,00 € × 9,3 % =`. The result of a choice follows a colon instead. */
export const sayBeforeResult = (calculation: Calculation, language: Language): string =>
  sayCalculation([...calculation, resultSign(calculation)], language);

const resultSign = ([first]: Calculation): '=' | ':' =>
  typeof first === 'object' && 'among' in first ? ':' : '=';

/** A rate in the notation of the language: `14,6 %`. */
export function sayRate(rate: Rational, language: Language): string {
  const percent = multiply(rate, rational(100n));
  return `${format(percent, placesOf(percent, 4), language)} %`;
}

/** The rates of a sum: `14,6 % + 1,3 % Zusatzbeitrag`. */
const sayRates = (rates: Operand['rates'], language: Language): string =>
  rates
    .map(({ number, called }) => {
      const name = called === undefined || language !== 'de' ? '' : ` ${called}`;
      return `${sayRate(number, language)}${name}`;
    })
    .join(' + ');

function sayChoice({ of, among }: Choice, language: Language): string {
  const words = {
    de: { min: 'der kleinere Betrag von', max: 'der größere Betrag von', and: 'und' },
    en: { min: 'the lower of', max: 'the higher of', and: 'and' },
  }[language];
  const amounts = among.map(({ amount, by }) => {
    const said = sayCalculation([amount], language);
    return by === null ? said : `${said} (${sayCalculation(by, language)})`;
  });
  return `${words[of]} ${amounts.join(` ${words.and} `)}`;
}

/**
 * The result that a reader gets by typing a calculation as it is written: amounts with two decimals, and no rounding in
 * between. `null` if it contains words.
 */
export function asTyped(calculation: Calculation): Rational | null {
  let at = 0;
  const operand = (): Rational | null => {
    const step = calculation[at++];
    if (step === '(') {
      const inner = sumOf();
      at += 1;
      return inner;
    }
    if (typeof step !== 'object' || 'among' in step) return null;
    return step.unit === 'amount' ? round(step.number, 2) : step.number;
  };
  const product = (): Rational | null => {
    let result = operand();
    for (let sign = calculation[at]; sign === '×' || sign === '÷'; sign = calculation[at]) {
      at += 1;
      const next = operand();
      if (result === null || next === null || (sign === '÷' && next.n === 0n)) return null;
      result = multiply(result, sign === '×' ? next : rational(next.d, next.n));
    }
    return result;
  };
  const sumOf = (): Rational | null => {
    let result = product();
    for (let sign = calculation[at]; sign === '+' || sign === '−'; sign = calculation[at]) {
      at += 1;
      const next = product();
      if (result === null || next === null) return null;
      result = sign === '+' ? add(result, next) : subtract(result, next);
    }
    return result;
  };
  const result = sumOf();
  return at === calculation.length ? result : null;
}
