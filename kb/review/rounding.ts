import { evaluate, parseExpression } from './expression.ts';
import type { Fact } from './facts.ts';
import {
  absolute,
  compare,
  decimal,
  equal,
  multiply,
  rational,
  round,
  subtract,
  type Rational,
} from './rational.ts';
import { namesIn, newTrace, type Case } from './rule-values.ts';
import type { Rule } from './rules.ts';

const HALF_CENT = rational(1n, 200n);

/**
 * How far a value may be off by the rule itself: half a cent for each line that is rounded by itself, or the amount
 * that the rule allows.
 */
export function slackOf({ lines, within }: Rule, of: Case): Rational | null {
  if (lines !== null) {
    const count = evaluate(parseExpression(lines), namesIn(of, newTrace()));
    return multiply(HALF_CENT, count?.type === 'number' ? count.number : rational(1n));
  }
  return within === null ? null : decimal(within);
}

/**
 * The number of decimals of a result: two for money, otherwise as many as the value has. `null` for a value with fewer
 * than two.
 */
export function placesFor({ quantity, places }: Fact): number | null {
  const { kind } = quantity!;
  if (kind === 'amount') return 2;
  if (places < 2) return null;
  return places + (kind === 'rate' ? 2 : 0);
}

/**
 * Whether rounding explains the difference between a value and the result. If the rule allows no difference, a result
 * with more decimals than the value may be rounded up or down to the decimals of the value.
 */
export function isWithinRounding(
  value: Rational,
  result: Rational,
  { slack, places }: { readonly slack: Rational | null; readonly places: number | null },
): boolean {
  const off = absolute(subtract(value, result));
  if (slack !== null) return compare(off, slack) <= 0;
  const goesOn = places !== null && !equal(round(result, places), result);
  return goesOn && compare(off, rational(1n, 10n ** BigInt(places))) < 0;
}
