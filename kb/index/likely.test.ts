import { describe, expect, test, vi } from 'vitest';

import { seeded } from '../../events/seeded.ts';
import type { Source } from '../source.ts';
import { buildIndex } from './build.ts';
import { LexicalIndex } from './lexical-index.ts';

const PARTS = [
  'zahl',
  'arbeit',
  'dienst',
  'frist',
  'urlaub',
  'steuer',
  'lohn',
  'betrieb',
  'kosten',
  'vertrag',
];
/** In nearly all passages. */
const COMMON = PARTS.flatMap((part) => [`${part}ungen`, `${part}geber`, `${part}nehmer`]);

/** A base whose common words have so many postings that the search leaves them for last. */
function largeBase(): Source[] {
  const random = seeded(7);
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)]!;
  const rare = (): string => `${one(PARTS)}${one(PARTS)}${Math.floor(random() * 900)}`;
  return Array.from({ length: 12_000 }, (_, number) => {
    const year = number % 40 === 0 ? 2018 + ((number / 40) % 4) : null;
    const words = Array.from({ length: 14 }, () => (random() < 0.9 ? one(COMMON) : rare()));
    return {
      id: year === null ? `Q-${number}` : `Wert${Math.floor(number / 160)}-${year}`,
      title: year === null ? `§ ${number} Q` : `Werte ${Math.floor(number / 160)} für ${year}`,
      section: '',
      stand: '2022-01',
      work: 'Q',
      lang: 'de' as const,
      year,
      text: `${words.join(' ')}.`,
    };
  }).sort((a, b) => (a.id < b.id ? -1 : 1));
}

const wordsOf = ({ text }: Source): string[] => text.slice(0, -1).split(' ');

describe('a search of a large base', () => {
  const index = new LexicalIndex(buildIndex(largeBase()));
  const random = seeded(8);
  const sources = index.data.sources;
  const question = (): string => {
    const words = wordsOf(sources[Math.floor(random() * sources.length)]!);
    const asked = Array.from(
      { length: 2 + Math.floor(random() * 5) },
      () => words[Math.floor(random() * 14)]!,
    );
    return [...asked, random() < 0.2 ? ' 2019' : '', random() < 0.2 ? '§ 77 Q' : ''].join(' ');
  };

  test('finds the same, with the same scores and passages, as one that scores each passage', () => {
    const all = vi.spyOn(index, 'score');
    let scoredAll = 0;
    for (let i = 0; i < 300; i++) {
      const asked = question();
      all.mockClear();
      const hits = index.search(asked, { topK: 10 });
      scoredAll += all.mock.calls.length;
      expect(hits).toEqual(index.rank(asked, index.score(asked), 10));
    }
    // Both ways were taken.
    expect(scoredAll).toBeGreaterThan(0);
    expect(scoredAll).toBeLessThan(270);
  });
});
