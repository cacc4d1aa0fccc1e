import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';

import { atOnce, inShortTurns, shortTurns, sorting, type Steps } from './steps.ts';
import { letGoFirst } from './turns.ts';

const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;

test('sorting step by step is sorting', () => {
  const item = fc.record({ key: fc.nat(300), place: fc.nat() });
  fc.assert(
    fc.property(fc.array(item, { minLength: 0, maxLength: 3_000, size: 'max' }), (items) => {
      expect(atOnce(sorting(items, byKey))).toEqual(items.toSorted(byKey));
    }),
    { numRuns: 30 },
  );
});

test('work that nobody waits for stands back while somebody waits for other work, but not for ever', async () => {
  let done = 0;
  function* counting(): Steps<number> {
    for (; done < 20; done++) yield 100_000;
    return done;
  }
  let asks = 0;
  const end = letGoFirst(() => ++asks > 0);
  expect(await inShortTurns(counting())).toBe(20);
  expect(asks).toBeGreaterThan(20);
  end();
  const asked = asks;
  done = 0;
  expect(await inShortTurns(counting())).toBe(20);
  expect(asks).toBe(asked);
});

function* piece(): Steps<void> {
  for (let i = 0; i < 5; i++) yield 100_000;
}

test('the pieces of one work stand back once in all, however many they are', async () => {
  // given: a clock that goes on with each look at it, and somebody who always waits
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  let asked = 0;
  const end = letGoFirst(() => ++asked > 0);
  try {
    // when
    const run = shortTurns();
    await run(piece());
    const first = asked;
    for (let i = 0; i < 4; i++) await run(piece());
    // then: each of the other turns has only looked whether somebody waits
    expect(first).toBeGreaterThan(50);
    expect(asked).toBe(first + 4 * 5);
  } finally {
    end();
    vi.restoreAllMocks();
  }
});
