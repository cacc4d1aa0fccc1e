import { describe, expect, test } from 'vitest';

import { buildIndex } from '../index/build.ts';
import { changing } from '../index/change.ts';
import { LexicalIndex, readingNames } from '../index/lexical-index.ts';
import { opening } from '../index/searched.ts';
import type { Source } from '../source.ts';
import { atOnce } from '../steps.ts';
import { rankHits } from './rank.ts';
import { Reading } from './reading.ts';

const source = (id: string, text: string): Source => ({
  id,
  title: id,
  section: '',
  stand: '2022-01',
  work: 'W',
  lang: 'de',
  year: null,
  text,
});

const QUESTION = 'Was steht im Vertrag?';

/** Which of the hits of the changed index need not be read again after a question to the index before. */
function keptAfter(before: readonly Source[], after: readonly Source[]): Record<string, boolean> {
  const large = atOnce(opening(buildIndex(before)));
  const names = atOnce(readingNames(large));
  const index = new LexicalIndex(large.data, null, { searched: large, names });
  atOnce(rankHits(index, QUESTION, index.search(QUESTION, { topK: 10 })));
  const searched = atOnce(changing(large, after))!;
  const changed = new LexicalIndex(large.data, null, {
    searched,
    names: atOnce(readingNames(searched, null, { large: names })),
  });
  const hits = changed.search(QUESTION, { topK: 10 });
  return Object.fromEntries(hits.map((hit) => [hit.source.id, Reading.of(changed).has(hit, changed)]));
}

describe('after a change', () => {
  const stays = source('A', 'Der Vertrag nennt die Frist.');
  const compound = source('B', 'Der Vertrag nennt die Nachtzulage.');
  const edited = source('C', 'Der Vertrag nennt den Lohn.');

  test('what it does not touch stays read, and what it touches is read again', () => {
    const later = source('C', 'Der Vertrag nennt den Lohn und den Urlaub.');
    expect(keptAfter([stays, compound, edited], [stays, compound, later])).toEqual({
      A: true,
      B: true,
      C: false,
    });
  });

  test('a source with a word that is a compound now is read again', () => {
    const come = source('D', 'Nacht und Zulage stehen im Vertrag.');
    expect(keptAfter([stays, compound], [stays, compound, come])).toEqual({ A: true, B: false, D: false });
  });
});
