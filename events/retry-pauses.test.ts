import { expect, test } from 'vitest';
import { backoff } from './retry-pauses.ts';

test('waits twice as long after each failure, up to the longest', () => {
  const pauses = { firstMs: 50, longestMs: 2_000 };
  expect([0, 1, 2, 3, 6, 7, 5_000].map((failures) => backoff(failures, pauses))).toEqual([
    50, 50, 100, 200, 1_600, 2_000, 2_000,
  ]);
});
