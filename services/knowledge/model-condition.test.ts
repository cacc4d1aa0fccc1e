import { expect, test } from 'vitest';
import type { ModelCondition } from '../../events/messages/knowledge.ts';
import { worstOf } from './model-condition.ts';

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
