import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce, sorting } from './steps.ts';

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
