import { expect, test } from 'vitest';
import type { ModelCondition } from '../../events/messages/knowledge.ts';
import { sumOf, worstOf } from './model-condition.ts';

const condition = (state: ModelCondition['state'], minute: number): ModelCondition => ({
  state,
  since: `2026-01-15T08:0${minute}:00.000Z`,
  reason: null,
});

test('of several processes the gravest condition counts, and of equal ones the longest', () => {
  const [ready, degraded, away] = [condition('ready', 2), condition('degraded', 1), condition('away', 3)];
  expect(worstOf([ready, condition('away', 4), degraded, away])).toEqual(away);
  expect(worstOf([ready, condition('ready', 1)])).toEqual(condition('ready', 1));
});

test('figures of several processes are one', () => {
  const figures = { call_seconds: 1.5, prompt_tokens: 100, completion_tokens: 20 };
  const first = { ...figures, calls: { answered: 2, timeout: 1 }, asks: { written: 1 } };
  const second = { ...figures, calls: { answered: 1, left: 1 }, asks: { timeout: 1 } };
  expect(sumOf([first, null, second])).toEqual({
    call_seconds: 3,
    prompt_tokens: 200,
    completion_tokens: 40,
    calls: { answered: 3, timeout: 1, left: 1 },
    asks: { written: 1, timeout: 1 },
  });
  expect(sumOf([null, null])).toBeNull();
});
