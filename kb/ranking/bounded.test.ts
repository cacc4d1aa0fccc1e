import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { plainAnalysis } from '../analysis/analysis.ts';
import { plan } from '../answer/plan/plan.ts';
import { buildIndex } from '../index/build.ts';
import { LexicalIndex, readingNames } from '../index/lexical-index.ts';
import { opening } from '../index/searched.ts';
import type { Source } from '../source.ts';
import { namesCountry } from './countries.ts';
import { askedWords, MAX_ASKED, mostTelling } from './asked.ts';
import { rankHits } from './rank.ts';
import { atOnce, inTurns, type Steps } from '../steps.ts';

const SYLLABLES = ['ba', 'ko', 'mi', 'tu', 're', 'fol', 'gan', 'hez', 'jus', 'wim'];
/** A different noun for each number. */
const word = (n: number): string =>
  `V${Array.from(String(n).padStart(4, '0'), (digit) => SYLLABLES[Number(digit)]!).join('')}`;
const wordsFrom = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => word(from + i));

const SOURCES: readonly Source[] = Array.from({ length: 50 }, (_, i) => ({
  id: `Q-${i}`,
  title: `Allgemeines ${word(i)}`,
  text: `Allgemeines zur ${wordsFrom(i, 6).join(' und zur ')}.`,
  section: '',
  stand: '2022-03',
  work: 'T',
  lang: 'de',
  year: null,
  asked: wordsFrom(i * 30, 30).map((each) => `Was gilt allgemein zur ${each}?`),
  unanswered: wordsFrom(i * 30 + 15, 30).map((each) => `Wann gilt allgemein die ${each}?`),
}));

/** The compared words, as the steps report them, in an index that has read nothing yet, and again afterwards. */
function work(question: string): { first: number; again: number; longest: number } {
  const index = new LexicalIndex(buildIndex(SOURCES, []));
  const ranked = () => costOf(rankHits(index, question, index.search(question, { topK: 50 })));
  const [first, again] = [ranked(), ranked()];
  return { first: first.all, again: again.all, longest: Math.max(first.longest, again.longest) };
}

const sentences = (count: number): string =>
  `Was gilt allgemein? ${wordsFrom(0, count)
    .map((each) => `Wann gilt die ${each}?`)
    .join(' ')}`;

/** The cost of all steps, and of the longest one. */
function costOf(steps: Steps<unknown>): { all: number; longest: number } {
  let [all, longest] = [0, 0];
  for (const cost of steps) {
    all += cost;
    longest = Math.max(longest, cost);
  }
  return { all, longest };
}

const groupsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    from: [`Wort ${word(i)}`, word(i + 1)],
    to: [word(i % 50)],
    line: i + 1,
  }));

const opened = (groups: number) =>
  costOf(readingNames(atOnce(opening(buildIndex(SOURCES, groupsOf(groups))))));

describe('what it costs to open an index', () => {
  test('grows with its synonyms, and is little in each step', () => {
    const [few, many] = [opened(500), opened(1_000)];
    expect(many.all).toBeLessThan(2 * few.all);
    expect(many.longest).toBeLessThan(many.all / 1_000);
  });
});

describe('what a question costs', () => {
  test('is bounded however many words and sentences it has', () => {
    const [some, many, most] = [75, 150, 300].map((count) => work(sentences(count)));
    expect(many!.again).toBeLessThanOrEqual(1.1 * some!.again);
    expect(most!.again).toBeLessThanOrEqual(1.1 * some!.again);
  });

  test('is little in each step, also where sources are read for the first time', () => {
    const { first, longest } = work(sentences(240));
    expect(longest).toBeLessThan(first / 25);
  });

  test('is a turn of the event loop for a thousand words that are read for the first time', async () => {
    const index = new LexicalIndex(buildIndex(SOURCES, []));
    const question = 'Was gilt allgemein?';
    const hits = index.search(question, { topK: 50 });
    let turns = 0;
    let turning = setImmediate(function count() {
      turns += 1;
      turning = setImmediate(count);
    });
    await inTurns(rankHits(index, question, hits));
    clearImmediate(turning);
    const words = SOURCES.flatMap(({ title, text, asked = [], unanswered = [] }) =>
      [title, text, ...asked, ...unanswered].flatMap((each) => plainAnalysis.words(each, 'de')),
    );
    expect(turns).toBeGreaterThan(words.length / 1_500);
  });

  test('goes by its letters', () => {
    const [short, long] = [8, 800].map((length) => work(`Was gilt ${'k'.repeat(length)}?`));
    expect(long!.again).toBeGreaterThan(2 * short!.again);
  });

  test('of a story is what all of its words cost', () => {
    const index = new LexicalIndex(buildIndex(SOURCES, []));
    expect(askedWords(index, wordsFrom(0, MAX_ASKED).join(' '))).toHaveLength(MAX_ASKED);
    const long = askedWords(index, `${wordsFrom(0, 300).join(' ')} Allgemeines Vogelhochzeit`);
    expect(long).toHaveLength(MAX_ASKED);
    // A word in hardly any passage says the most, one in all passages nothing.
    expect(long.map(({ text }) => text)).not.toContain('Allgemeines');
  });
});

/** How often a method of a class is called during some work. */
function calls(prototype: object, method: string, work: () => unknown): number {
  const original = Reflect.get(prototype, method) as (this: unknown, ...args: unknown[]) => unknown;
  let count = 0;
  const replace = (value: unknown): boolean => Reflect.set(prototype, method, value);
  replace(function counted(this: unknown, ...args: unknown[]) {
    count += 1;
    return original.apply(this, args);
  });
  try {
    work();
  } finally {
    replace(original);
  }
  return count;
}

describe('what it costs to read a question', () => {
  const index = new LexicalIndex(buildIndex(SOURCES, []));

  test.each(['§1', '§ 3 T und ', 'und ', '1-9,', '. ', '? ', 'a', 'Wie lange? ', '2021 ', '(1) '])(
    'grows with its length, also where that is nothing but %j',
    (part) => {
      const [some, twice] = [1_000, 2_000].map((length) => {
        const question = part.repeat(length).slice(0, length);
        return calls(RegExp.prototype, 'exec', () => [plan(question), index.search(question, { topK: 50 })]);
      });
      expect(twice).toBeLessThan(3 * some!);
    },
  );

  test('is some tries for each letter, whatever is repeated', () => {
    const words = 'und ist Urlaub , wer wie lange gilt § 3 BUrlG die Frist : – . ? ab 2021 habe ich A'.split(
      ' ',
    );
    const repeated = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
      .map((some) => `${some.join(' ')} `.repeat(2_000).slice(0, 2_000));
    fc.assert(
      fc.property(repeated, (question) => {
        expect(calls(RegExp.prototype, 'exec', () => plan(question))).toBeLessThan(30 * question.length);
      }),
      // A fixed seed, so that the cases are always the same.
      { seed: 41, numRuns: 300, examples: [['und ist Urlaub '.repeat(133)]] },
    );
  });

  test('ends where no country has so long a name', () => {
    const looks = calls(Map.prototype, 'get', () => namesCountry('s'.repeat(4_000)));
    expect(looks).toBeLessThan(100);
  });
});

test('the most telling stay in their order, and all of them where there are few', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.nat(20), (numbers, most) => {
      const each = numbers.map((value, place) => ({ value, place }));
      const kept = mostTelling(each, most, ({ value }) => value);
      const best = numbers.toSorted((a, b) => b - a).slice(0, most);
      expect(kept.map(({ value }) => value).toSorted((a, b) => b - a)).toEqual(best);
      expect(kept.map(({ place }) => place)).toEqual(
        kept.map(({ place }) => place).toSorted((a, b) => a - b),
      );
    }),
  );
});

function* counting(steps: number, compared: number): Steps<string> {
  for (let n = 0; n < steps; n++) yield compared;
  return 'done';
}

describe('steps', () => {
  test('of little work are done within the turn', async () => {
    const isDone = await Promise.race([inTurns(counting(10, 1_000)), nextTurn('later')]);
    expect(isDone).toBe('done');
  });

  test('that take long let others in between, however few words they compared', async () => {
    let now = 0;
    using _ = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
    expect(await Promise.race([inTurns(counting(10, 1)), nextTurn('later')])).toBe('later');
  });

  test('of much work let others in between', async () => {
    const turns: string[] = [];
    const work = inTurns(counting(10, 60_000)).then(() => turns.push('work'));
    await nextTurn().then(() => turns.push('another'));
    await work;
    expect(turns).toEqual(['another', 'work']);
  });
});
