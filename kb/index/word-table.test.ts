import { expect, test } from 'vitest';

import type { Language } from '../source.ts';
import { GrowingNumbers } from './growing.ts';
import { WordTable } from './word-table.ts';

interface Read {
  readonly word: string;
  readonly lang: Language;
}

/** The words of each line. */
function wordsOf(lines: readonly string[], lang: Language): Read[][] {
  const table = new WordTable();
  const row = new GrowingNumbers();
  const lineEnds = new GrowingNumbers();
  table.readLines(lines, lang, row, lineEnds);
  const ends = [...lineEnds.view()];
  return ends.map((end, i) =>
    [...row.values.subarray(ends[i - 1] ?? 0, end)].map((number) => ({
      word: table.folded[number]!,
      lang: table.languages[number]!,
    })),
  );
}

test('each line has a language of its own', () => {
  expect(wordsOf(['Wie lange ist der Urlaub?', '', 'How long is the leave?', 'Urlaub'], 'de')).toEqual([
    [
      { word: 'lange', lang: 'de' },
      { word: 'urlaub', lang: 'de' },
    ],
    [],
    [
      { word: 'long', lang: 'en' },
      { word: 'leave', lang: 'en' },
    ],
    [{ word: 'urlaub', lang: 'de' }],
  ]);
});

test('no token goes over the end of a line, nor over a line break in one', () => {
  const words = wordsOf(['Betrag 39', '480 Euro', 'zwei\nZeilen', 'am Ende'], 'de');
  expect(words.map((line) => line.map(({ word }) => word))).toEqual([
    ['betrag', '39'],
    ['480', 'euro'],
    ['zwei', 'zeilen'],
    ['ende'],
  ]);
});
