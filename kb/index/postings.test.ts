import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { impactOf, normOf } from './bm25.ts';
import { BLOCK, Postings, type PostingsData } from './postings.ts';
import { PostingsBuilder, TENTHS } from './postings-builder.ts';

const USUAL = 10;

/** Postings of passages that are given as lists of terms. */
const build = (passages: readonly (readonly string[])[]): Postings => Postings.of(count(passages));

function count(passages: readonly (readonly string[])[]): PostingsData {
  const builder = new PostingsBuilder(USUAL);
  for (const terms of passages) {
    for (const term of terms) builder.add(Uint32Array.of(builder.id(term)), 0, 1, TENTHS);
    builder.closePassage(terms.length);
  }
  return builder.build();
}

const term = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e');

describe('postings', () => {
  test('say of each term where it stands, and how much it says there', () => {
    fc.assert(
      fc.property(fc.array(fc.array(term, { maxLength: 6 }), { maxLength: 20 }), (passages) => {
        const postings = build(passages);
        for (const each of ['a', 'b', 'c', 'd', 'e', 'none']) {
          const holding = passages.filter((terms) => terms.includes(each));
          expect(postings.passageFrequency(each)).toBe(holding.length);
          const scores = new Float32Array(passages.length);
          postings.accumulate(each, 255 / 2.2, scores);
          const expected = passages.map((terms) => {
            const frequency = terms.filter((other) => other === each).length;
            return frequency === 0 ? 0 : impactOf(frequency, normOf(terms.length, USUAL));
          });
          expect([...scores].map(Math.round)).toEqual(expected);
        }
      }),
    );
  });

  test('go on in a second block where two bytes no longer number the passages', () => {
    const passages = Array.from({ length: BLOCK + 3 }, (_, number) =>
      number === 5 || number === BLOCK + 1 ? ['both'] : number === BLOCK + 2 ? ['late'] : ['other'],
    );
    const data = count(passages);
    const postings = Postings.of(data);
    expect(data.blocks).toHaveLength(2);
    expect(postings.passageFrequency('both')).toBe(2);
    expect(postings.passageFrequency('late')).toBe(1);
    const scores = new Float32Array(passages.length);
    postings.accumulate('both', 1, scores);
    expect([...scores.keys()].filter((number) => scores[number]! > 0)).toEqual([5, BLOCK + 1]);
    expect(postings.occursIn('both', 0, 5)).toBe(false);
    expect(postings.occursIn('both', 0, 6)).toBe(true);
    expect(postings.occursIn('both', 6, BLOCK + 1)).toBe(false);
    expect(postings.occursIn('both', BLOCK - 1, BLOCK + 2)).toBe(true);
    expect(postings.occursIn('late', 0, BLOCK)).toBe(false);
    expect(postings.occursIn('late', 0, BLOCK + 3)).toBe(true);
  });
});
