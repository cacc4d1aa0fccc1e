import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Coverage } from '../knowledge.ts';
import type { Source } from '../source.ts';
import type { Hit } from '../hit.ts';
import type { Retriever } from './ports.ts';
import { CANDIDATES, rerankedBy, type Reranker } from './rerank.ts';

const signal = new AbortController().signal;

function hitOf(n: number, referenced = false): Hit {
  const source: Source = {
    id: `S-${n}`,
    title: `T${n}`,
    section: '',
    stand: '2022-01',
    work: 'W',
    lang: 'de',
    year: null,
    text: `Text ${n}.`,
  };
  const passages = [{ source, text: source.text, start: 0 }];
  return { source, score: 100 - n, passages, referenced };
}

/** A base of these hits; coverage tells which hits it was given. */
function retrieverOf(hits: readonly Hit[]): Retriever & { asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    hash: 'abc',
    search: (_, { topK }) => {
      asked.push(topK);
      return Promise.resolve(hits.slice(0, topK));
    },
    coverage: (_, given): Coverage => ({
      value: 1,
      relevance: 0.9,
      otherYears: null,
      covered: true,
      missing: given.map(idOf),
    }),
    source: () => undefined,
    about: null,
    languages: ['de', 'en'],
  };
}

const idOf = ({ source }: Hit): string => source.id;

const rerankerOf = (score: (text: string) => number): Reranker & { texts: string[][] } => {
  const texts: string[][] = [];
  return {
    texts,
    name: 'reranker',
    ready: true,
    score: (_, given) => {
      texts.push([...given]);
      return Promise.resolve(given.map(score));
    },
  };
};

const numberIn = (text: string): number => Number(/\d+/u.exec(text));

test('the hits that read best come first, out of more than were asked for', async () => {
  const base = retrieverOf(Array.from({ length: 40 }, (_, n) => hitOf(n)));
  const reranker = rerankerOf(numberIn);
  const hits = await rerankedBy(base, reranker, signal).search('?', { topK: 3 });
  expect(base.asked).toEqual([CANDIDATES]);
  expect(hits.map(idOf)).toEqual(['S-31', 'S-30', 'S-29']);
  expect(hits.map(({ score }) => score)).toEqual([100, 99, 98]);
  expect(reranker.texts[0]![0]).toBe('T0\nText 0.');
});

test('what the question names stays first, and is not read', async () => {
  const base = retrieverOf([hitOf(0, true), hitOf(1), hitOf(2, true), hitOf(3)]);
  const reranker = rerankerOf(numberIn);
  const hits = await rerankedBy(base, reranker, signal).search('?', { topK: 4 });
  expect(hits.map(idOf)).toEqual(['S-0', 'S-2', 'S-3', 'S-1']);
  expect(reranker.texts).toEqual([['T1\nText 1.', 'T3\nText 3.']]);
});

test('whether a question is covered is judged by what the search found best', async () => {
  const reranked = rerankedBy(
    retrieverOf(Array.from({ length: 5 }, (_, n) => hitOf(n))),
    rerankerOf(numberIn),
    signal,
  );
  const hits = await reranked.search('?', { topK: 2 });
  expect(hits.map(idOf)).toEqual(['S-4', 'S-3']);
  expect(reranked.coverage('?', hits).missing).toEqual(['S-0', 'S-1']);
});

test('what a review holds its facts against stays as it was found', async () => {
  const base = retrieverOf([hitOf(0), hitOf(1), hitOf(2)]);
  const reranked = rerankedBy(base, rerankerOf(numberIn), signal);
  const hits = await reranked.search('?', { topK: 2, forFact: true });
  expect(hits.map(idOf)).toEqual(['S-0', 'S-1']);
  expect(base.asked).toEqual([2]);
});

test('one that fails fails the search', async () => {
  const failing: Reranker = { name: 'r', ready: false, score: () => Promise.reject(new Error('away')) };
  const reranked = rerankedBy(retrieverOf([hitOf(0), hitOf(1)]), failing, signal);
  await expect(reranked.search('?', { topK: 2 })).rejects.toThrow('away');
});

test('whatever it says, the same hits come back, those of one score in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }), async (scores) => {
      const base = retrieverOf(scores.map((_, n) => hitOf(n)));
      const reranker = rerankerOf((text) => scores[numberIn(text)]!);
      const hits = await rerankedBy(base, reranker, signal).search('?', { topK: 50 });
      const order = hits.map((hit) => numberIn(hit.source.id));
      expect([...order].sort((a, b) => a - b)).toEqual(scores.map((_, n) => n));
      for (const [i, n] of order.slice(1).entries()) {
        const before = order[i]!;
        expect(scores[before]! > scores[n]! || (scores[before] === scores[n] && before < n)).toBe(true);
      }
    }),
  );
});
