import type { ModelCondition, ModelFigures } from '../../events/messages/knowledge.ts';

const BY_SEVERITY = ['ready', 'degraded', 'away'] as const satisfies ModelCondition['state'][];

/** The worst condition of several processes (at least one); of equal conditions the one that has lasted longest. */
export function worstOf(conditions: readonly ModelCondition[]): ModelCondition {
  return conditions.reduce((worst, each) => {
    const difference = BY_SEVERITY.indexOf(each.state) - BY_SEVERITY.indexOf(worst.state);
    return difference > 0 || (difference === 0 && each.since < worst.since) ? each : worst;
  });
}

/** The sum over several processes; `null` if none uses a model server. */
export function sumOf(figures: readonly (ModelFigures | null)[]): ModelFigures | null {
  const told = figures.filter((each) => each !== null);
  if (told.length === 0) return null;
  return told.reduce((a, b) => ({
    calls: added(a.calls, b.calls),
    call_seconds: a.call_seconds + b.call_seconds,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    asks: added(a.asks, b.asks),
  }));
}

function added(a: ModelFigures['calls'], b: ModelFigures['calls']): ModelFigures['calls'] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}
