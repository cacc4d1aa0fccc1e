import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { SourceRows } from './source-rows.ts';

const numbers = fc.uint32Array({ maxLength: 20 });
const words = fc.record({
  spans: numbers,
  ends: numbers,
  words: numbers,
  asked: fc.nat(),
  unanswered: fc.nat(),
  isOfDocument: fc.boolean(),
});

test('sources come back as they were added, also where one is longer than a stretch', () => {
  const sources = fc.sample(words, { numRuns: 2_000, seed: 1 });
  sources.splice(1_000, 0, {
    spans: new Uint32Array(),
    ends: Uint32Array.of(200_000),
    words: Uint32Array.from({ length: 200_000 }, (_, i) => i),
    asked: 0,
    unanswered: 0,
    isOfDocument: false,
  });
  const rows = new SourceRows();
  for (const source of sources) rows.add(source);
  expect([...rows]).toEqual(sources);
  expect([...rows.taking()]).toEqual(sources);
  expect([...rows]).toEqual([]);
});

test('what was taken is let go while the rest is still there', () => {
  const rows = new SourceRows();
  const source = {
    spans: new Uint32Array(),
    ends: Uint32Array.of(10_000),
    words: new Uint32Array(10_000),
    asked: 0,
    unanswered: 0,
    isOfDocument: false,
  };
  for (let i = 0; i < 10; i++) rows.add(source);
  const taking = rows.taking();
  for (let i = 0; i < 5; i++) taking.next();
  expect([...rows].length).toBeLessThan(6);
});
