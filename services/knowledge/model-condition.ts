import type { ModelCondition } from '../../events/messages/knowledge.ts';

const BY_SEVERITY = ['ready', 'degraded', 'away'] as const satisfies ModelCondition['state'][];

/** Of several processes, at least one: the gravest condition, and of equal ones the longest. */
export function worstOf(conditions: readonly ModelCondition[]): ModelCondition {
  return conditions.reduce((worst, each) => {
    const difference = BY_SEVERITY.indexOf(each.state) - BY_SEVERITY.indexOf(worst.state);
    return difference > 0 || (difference === 0 && each.since < worst.since) ? each : worst;
  });
}
