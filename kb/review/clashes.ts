import { evaluate, namesIn, parseExpression, truthOf } from './expression.ts';
import type { Fact } from './facts.ts';
import type { SlipTime } from './slip-time.ts';
import type { ReviewBase } from './review-base.ts';
import { choiceValue, dateValue, type RuleValue } from './value.ts';
import { quantityNamed } from './vocabulary.ts';

/**
 * Facts that contradict each other for one person, each with the keys of the others. Only sent facts count: defaults of
 * the vocabulary contradict nothing.
 */
export function clashesOf(
  facts: readonly Fact[],
  time: SlipTime,
  base: ReviewBase,
): ReadonlyMap<Fact, readonly string[]> {
  const clashes = new Map<Fact, string[]>();
  for (const formula of base.never) {
    const expression = parseExpression(formula);
    const names = new Set(namesIn(expression));
    const involved = facts.filter(({ quantity }) => quantity !== null && names.has(quantity.key));
    if (involved.length < 2) continue;
    const lookup = (name: string): RuleValue | null => {
      if (name === 'month_start') return monthOf(time);
      if (quantityNamed(name, base.quantities) === undefined) return choiceValue(name);
      return involved.find(({ quantity }) => quantity!.key === name)?.value ?? null;
    };
    if (truthOf(evaluate(expression, lookup)) !== true) continue;
    for (const fact of involved)
      clashes.set(fact, [...new Set([...(clashes.get(fact) ?? []), ...involved.map(({ key }) => key)])]);
  }
  return clashes;
}

function monthOf(time: SlipTime): RuleValue | null {
  if (typeof time !== 'object' || time.from === null || time.from !== time.to) return null;
  const [year, month] = time.from.split('-').map(Number);
  return dateValue({ year: year!, month: month!, day: 1 });
}
