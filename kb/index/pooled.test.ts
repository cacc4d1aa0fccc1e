import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { poolAll, scoreAtPlace, sourcesFrom } from './pooled.ts';

/** Scores of the passages of each source; a passage that belongs to none may come before it, as after a change. */
const sources = fc.array(
  fc.record({
    gone: fc.nat({ max: 1 }),
    scores: fc.array(fc.oneof(fc.constant(0), fc.float({ min: Math.fround(0.001), max: 3, noNaN: true })), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  { maxLength: 40 },
);

test('the scores of sources at a place and from a score on are those of all sources, sorted', () => {
  fc.assert(
    fc.property(sources, fc.integer({ min: 1, max: 12 }), (all, place) => {
      const passages: number[] = [];
      const firsts: number[] = [];
      const lasts: number[] = [];
      for (const { gone, scores } of all) {
        if (gone === 1) passages.push(9);
        firsts.push(passages.length);
        passages.push(...scores);
        lasts.push(passages.length);
      }
      const ranges = { firsts: Uint32Array.from(firsts), lasts: Uint32Array.from(lasts) };
      const scores = Float32Array.from(passages);
      const pooled = poolAll(scores, ranges, new Float32Array(all.length));
      const sorted = [...pooled].toSorted((a, b) => b - a);
      expect(scoreAtPlace(place, scores, ranges)).toBe(sorted[place - 1] ?? 0);
      for (const least of pooled.filter((score) => score > 0)) {
        const found = [...pooled.keys()].filter((number) => pooled[number]! >= least);
        expect([...sourcesFrom(least, scores, ranges)]).toEqual(found);
      }
    }),
    { numRuns: 300 },
  );
});
