import { evaluate, parseExpression } from './expression.ts';
import { readFigure } from './figure.ts';
import type { ReviewBase } from './review-base.ts';
import { rational } from './rational.ts';
import { choiceValue, dateValue, numberValue, truthValue, type RuleValue } from './value.ts';
import type { Quantity } from './vocabulary.ts';

/**
 * Evaluates every formula of a base, once with all facts 0 and once with all facts 1. So a formula that fails is
 * reported when the base is loaded and not in a review.
 */
export function tryFormulas(
  base: ReviewBase,
  tell: (path: readonly string[], message: string) => void,
): void {
  const tryOne = (path: readonly string[], formula: string): void => {
    try {
      for (const number of [0n, 1n]) valueOf(formula, base, number, []);
    } catch (error) {
      tell(path, `cannot be evaluated: ${(error as Error).message}`);
    }
  };
  for (const [name, formula] of Object.entries(base.terms)) tryOne(['terms', name], formula);
  for (const { id, when, bounds } of base.rules)
    for (const formula of [...(when === null ? [] : [when]), ...bounds.map((bound) => bound.formula)])
      tryOne(['rules', id], formula);
}

function valueOf(
  formula: string,
  base: ReviewBase,
  number: bigint,
  inProgress: readonly string[],
): RuleValue | null {
  return evaluate(parseExpression(formula), (name) => {
    if (inProgress.includes(name)) throw new Error(`the term ${name} uses itself`);
    const quantity = base.quantities.find(({ key }) => key === name);
    if (quantity !== undefined) return sampleOf(quantity, number);
    if (name === 'value' || name === 'year') return numberValue(rational(number));
    if (name === 'month_start') return dateValue({ year: 2022, month: 3, day: 1 });
    if (name === 'unknown') return null;
    if (Object.hasOwn(base.terms, name))
      return valueOf(base.terms[name]!, base, number, [...inProgress, name]);
    if (!Object.hasOwn(base.figures, name)) return choiceValue(name);
    const [figure] = base.figures[name]!;
    return figure === undefined ? null : readFigure(figure.written);
  });
}

function sampleOf({ kind, choices }: Quantity, number: bigint): RuleValue {
  switch (kind) {
    case 'date':
    case 'month':
      return dateValue({ year: 2022, month: 3, day: 1 });
    case 'duration':
      return { type: 'duration', duration: { count: rational(number), unit: 'month' } };
    case 'yes_no':
      return truthValue(number === 1n);
    case 'code':
      return numberValue(rational(number));
    case 'choice':
      return choiceValue(Object.keys(choices ?? {}).at(Number(number)) ?? '');
    case 'amount':
    case 'rate':
    case 'days':
    case 'hours':
    case 'count':
      return numberValue(rational(number));
  }
}
