import jsep from 'jsep';
import { compareDays, isOnCalendar } from './calendar.ts';
import { ARGUMENTS, FUNCTIONS } from './functions.ts';
import { add, compare, decimal, multiply, negate, rational, subtract, type Rational } from './rational.ts';
import { compareDurations } from './duration.ts';
import { numberValue, truthValue, UNREAD, type RuleValue } from './value.ts';

/** A parsed formula or condition of `review.yaml`. */
export type Expression =
  | jsep.Literal
  | jsep.Identifier
  | jsep.UnaryExpression
  | jsep.BinaryExpression
  | jsep.ConditionalExpression
  | jsep.CallExpression;

const READ = new Map<string, Expression>();
/** The most characters of a formula. A longer one could be nested so deeply that the stack overflows. */
const LONGEST = 2_000;

/**
 * Parses a formula and caches the result: names, arithmetic, comparisons, `&&`, `||`, `!`, `? :`, `??` and calls.
 *
 * @throws {Error} if the text is not a formula.
 */
export function parseExpression(text: string): Expression {
  const known = READ.get(text);
  if (text.length > LONGEST) throw new Error(`it has more than ${LONGEST} characters`);
  if (known !== undefined) return known;
  const read = jsep(text) as Expression;
  check(read);
  READ.set(text, read);
  return read;
}

const OPERATORS = new Set(['+', '-', '*', '/', '==', '!=', '<', '>', '<=', '>=', '&&', '||', '??']);

function check(expression: Expression): void {
  if (expression.type === 'Literal' && (typeof expression.value === 'string' || expression.value === null))
    throw new Error(`${expression.raw} is not a number`);
  if (expression.type === 'UnaryExpression' && !['!', '-'].includes(expression.operator))
    throw new Error(`the operator ${expression.operator} is not known`);
  if (expression.type === 'BinaryExpression' && !OPERATORS.has(expression.operator))
    throw new Error(`the operator ${expression.operator} is not known`);
  if (
    expression.type === 'Literal' &&
    typeof expression.value === 'number' &&
    !/^\d+(?:\.\d+)?$/u.test(expression.raw)
  )
    throw new Error(`${expression.raw} must be written in digits, like 0.5 or 100000`);
  if (expression.type === 'CallExpression' && !Object.hasOwn(FUNCTIONS, nameOf(expression)))
    throw new Error(`${nameOf(expression)} is not a known function`);
  if (expression.type === 'UnaryExpression' && expression.operator === '-' && isNegation(expression.argument))
    throw new Error('two minus signs follow each other');
  const parts = partsOf(expression);
  for (const part of parts) check(part);
  if (expression.type === 'CallExpression') checkArguments(nameOf(expression), parts.length);
  if (expression.type === 'BinaryExpression' && expression.operator === '/' && isZero(parts[1]!))
    throw new Error('it divides by 0');
  if (isConstant(expression) && evaluate(expression, () => null) === null)
    throw new Error('a part of it that names nothing has no value');
}

const isNegation = (expression: jsep.Expression): boolean =>
  expression.type === 'UnaryExpression' && expression['operator'] === '-';

/** Whether an expression always has the same value. */
const isConstant = (expression: Expression): boolean => namesIn(expression).length === 0;

function isZero(expression: Expression): boolean {
  if (!isConstant(expression)) return false;
  const value = evaluate(expression, () => null);
  return value?.type === 'number' && value.number.n === 0n;
}

function checkArguments(name: string, given: number): void {
  const [least, most = least] = ARGUMENTS[name]!;
  if (given >= least && given <= most) return;
  const wanted = most === least ? `${least}` : most === Infinity ? `${least} or more` : `${least} to ${most}`;
  throw new Error(
    `${name} takes ${wanted} ${wanted === '1' ? 'argument' : 'arguments'}, and is given ${given}`,
  );
}

const nameOf = (call: jsep.CallExpression): string => (call.callee as jsep.Identifier).name ?? '';

/**
 * The parts of an expression, in order.
 *
 * @throws {Error} for an expression of an unknown kind.
 */
export function partsOf(expression: Expression): Expression[] {
  switch (expression.type) {
    case 'UnaryExpression':
      return [expression.argument as Expression];
    case 'BinaryExpression':
      return [expression.left, expression.right] as Expression[];
    case 'ConditionalExpression':
      return [expression.test, expression.consequent, expression.alternate] as Expression[];
    case 'CallExpression':
      return expression.arguments as Expression[];
    case 'Identifier':
    case 'Literal':
      return [];
    default:
      throw new Error('the expression cannot be parsed', { cause: expression satisfies never });
  }
}

/** The names in an expression, except those of functions. */
export function namesIn(expression: Expression): string[] {
  return expression.type === 'Identifier' ? [expression.name] : partsOf(expression).flatMap(namesIn);
}

/**
 * The faults of a formula: it cannot be parsed, or has names that are not in `names`; `kinds` describes these names.
 */
export function faultsOf(formula: string, names: ReadonlySet<string>, kinds: string): string[] {
  try {
    const unknown = namesIn(parseExpression(formula)).filter((name) => !names.has(name));
    return unknown.map((name) => `${name} is not ${kinds}`);
  } catch (error) {
    return [`cannot be read: ${(error as Error).message}`];
  }
}

/** Looks a name up. The result is `null` if it is unknown, which the lookup records. */
export interface Lookup {
  (name: string): RuleValue | null;
  /**
   * A copy of the lookup with a record of its own. `keep` adds the copy's record to the main one, `keepLacks` only the
   * lacking names.
   */
  readonly aside?: () => {
    readonly lookup: Lookup;
    readonly keep: () => void;
    readonly keepLacks: () => void;
  };
}

/**
 * The value of an expression; `null` if it depends on something unknown, `unread` if it depends on a sent value that
 * cannot be read. `false && unknown` is false.
 */
export function evaluate(expression: Expression, lookup: Lookup): RuleValue | null {
  switch (expression.type) {
    case 'Literal':
      return literalValue(expression);
    case 'Identifier':
      return lookup(expression.name);
    case 'UnaryExpression': {
      const value = evaluate(expression.argument as Expression, lookup);
      if (value?.type === 'unread') return value;
      if (expression.operator === '!') return value?.type === 'truth' ? truthValue(!value.truth) : null;
      return value?.type === 'number' ? numberValue(negate(value.number)) : null;
    }
    case 'BinaryExpression':
      return binary(expression, lookup);
    case 'ConditionalExpression': {
      const tested = evaluate(expression.test as Expression, lookup);
      const test = truthOf(tested);
      if (test === null) return unreadOf(tested);
      return evaluate((test ? expression.consequent : expression.alternate) as Expression, lookup);
    }
    case 'CallExpression': {
      if (isHint(expression)) return evaluateHint(expression, lookup);
      const values = expression.arguments.map((part) => evaluate(part as Expression, lookup));
      if (values.some((value) => value?.type === 'unread')) return UNREAD;
      if (values.some((value) => value === null)) return null;
      const none = values.find(isNone);
      if (none !== undefined) return none;
      const value = FUNCTIONS[nameOf(expression)]!(...(values as RuleValue[]));
      return value?.type === 'date' && !isOnCalendar(value.day) ? null : value;
    }
  }
}

/** Whether an expression only describes how a program writes the slip (`hint` in `functions.ts`). */
export const isHint = (expression: Expression): boolean =>
  expression.type === 'CallExpression' && nameOf(expression) === 'hint';

function evaluateHint({ arguments: [argument] }: jsep.CallExpression, lookup: Lookup): RuleValue | null {
  const aside = lookup.aside?.();
  const value = evaluate(argument as Expression, aside?.lookup ?? lookup);
  aside?.keepLacks();
  return value;
}

const LITERALS = new WeakMap<jsep.Literal, RuleValue>();

/** Cached, because a formula is evaluated for every slip. */
function literalValue(literal: jsep.Literal): RuleValue {
  const known = LITERALS.get(literal);
  if (known !== undefined) return known;
  const value =
    typeof literal.value === 'boolean' ? truthValue(literal.value) : numberValue(decimal(literal.raw));
  LITERALS.set(literal, value);
  return value;
}

/** Whether a value is `none`: a formula gives it for a reading that does not apply in this case. */
export const isNone = (value: RuleValue | null): boolean =>
  value?.type === 'choice' && value.choice === 'none';

const unreadOf = (...values: (RuleValue | null)[]): RuleValue | null =>
  values.some((value) => value?.type === 'unread') ? UNREAD : null;

export const truthOf = (value: RuleValue | null): boolean | null =>
  value?.type === 'truth' ? value.truth : null;

function binary({ operator, left, right }: jsep.BinaryExpression, lookup: Lookup): RuleValue | null {
  if (operator === '??') {
    // A lacking name on the left side does not matter if the right side replaces it.
    const aside = lookup.aside?.();
    const value = evaluate(left as Expression, aside?.lookup ?? lookup);
    if (value === null) return evaluate(right as Expression, lookup);
    aside?.keep();
    return value;
  }
  const first = evaluate(left as Expression, lookup);
  if (operator === '&&' || operator === '||') {
    const decides = operator === '||';
    if (truthOf(first) === decides) return first;
    const second = evaluate(right as Expression, lookup);
    if (truthOf(second) === decides) return second;
    return unreadOf(first, second) ?? (first === null ? null : second);
  }
  const second = evaluate(right as Expression, lookup);
  if (first?.type === 'unread' || second?.type === 'unread') return UNREAD;
  if (first === null || second === null) return null;
  // If one value is `none`, so is the result.
  const none = [first, second].find(isNone);
  if (none !== undefined && ['+', '-', '*', '/'].includes(operator)) return none;
  if (operator === '==' || operator === '!=') {
    const same = isEqual(first, second);
    return same === null ? null : truthValue(same === (operator === '=='));
  }
  if (first.type === 'number' && second.type === 'number') {
    const number = arithmetic(operator, first.number, second.number);
    if (number !== null) return numberValue(number);
  }
  const order = orderOf(first, second);
  if (order === null) return null;
  const holds = { '<': order < 0, '>': order > 0, '<=': order <= 0, '>=': order >= 0 }[operator];
  return holds === undefined ? null : truthValue(holds);
}

function arithmetic(operator: string, a: Rational, b: Rational): Rational | null {
  switch (operator) {
    case '+':
      return add(a, b);
    case '-':
      return subtract(a, b);
    case '*':
      return multiply(a, b);
    case '/':
      return b.n === 0n ? null : multiply(a, rational(b.d, b.n));
    default:
      return null;
  }
}

/** Negative, 0 or positive by the order of two values; `null` if they cannot be compared with certainty. */
export function orderOf(a: RuleValue, b: RuleValue): number | null {
  if (a.type === 'number' && b.type === 'number') return compare(a.number, b.number);
  if (a.type === 'date' && b.type === 'date') return Math.sign(compareDays(a.day, b.day));
  if (a.type === 'duration' && b.type === 'duration') return compareDurations(a.duration, b.duration);
  return null;
}

export function isEqual(a: RuleValue, b: RuleValue): boolean | null {
  if (a.type === 'choice' && b.type === 'choice') return a.choice === b.choice;
  if (a.type === 'truth' && b.type === 'truth') return a.truth === b.truth;
  const order = orderOf(a, b);
  return order === null ? null : order === 0;
}
