import { evaluate, isNone, parseExpression, truthOf, type Expression, type Lookup } from './expression.ts';
import type { ReviewBase } from './review-base.ts';
import { format, multiply, placesOf, rational, type Rational } from './rational.ts';
import { quantityNamed } from './vocabulary.ts';
import type { Language } from '../source.ts';

type Unit = 'amount' | 'rate' | 'plain';

interface Operand {
  readonly number: Rational;
  readonly unit: Unit;
}

/** How a result is worked out, with the figures of the case: `3.500,00 € × 15,9 % ÷ 2`. */
export type Calculation = readonly (Operand | '+' | '−' | '×' | '÷')[];

const SIGNS = { '+': '+', '-': '−', '*': '×', '/': '÷' } as const;
/** Functions that only round, or choose among amounts. */
const ROUNDING = new Set(['cent', 'cent_down']);

/** The calculation of a formula; `null` where it is a single figure, or no arithmetic. */
export function calculationOf(formula: string, lookup: Lookup, base: ReviewBase): Calculation | null {
  const steps = stepsOf(parseExpression(formula), lookup, base, true);
  return steps === null || steps.length < 2 ? null : steps;
}

/** `isSum`: where a sum may stand without brackets. */
function stepsOf(
  expression: Expression,
  lookup: Lookup,
  base: ReviewBase,
  isSum: boolean,
): Calculation | null {
  const inner = chosen(expression, lookup);
  if (inner.type === 'BinaryExpression' && inner.operator in SIGNS) {
    const sign = SIGNS[inner.operator as keyof typeof SIGNS];
    const isAdding = sign === '+' || sign === '−';
    if (!isAdding || isSum) {
      const left = stepsOf(inner.left as Expression, lookup, base, isAdding);
      const right = stepsOf(inner.right as Expression, lookup, base, false);
      if (left === null || right === null) return null;
      return right.length > 1 && !isAdding ? operandOf(inner, lookup, base) : [...left, sign, ...right];
    }
  }
  return operandOf(inner, lookup, base);
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
    .join(' ');
