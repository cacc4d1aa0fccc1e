import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TOKEN, tokenize, tokensOf } from './tokens.ts';

/** Pieces in which each branch of the pattern begins, ends, or almost does. */
const PIECES = [
  'Urlaub',
  'geht',
  "'s",
  '’s',
  "'",
  '’',
  'Ver\u00ADtrag',
  '\u00AD',
  'cafe\u0301',
  '\u0301',
  'Δx',
  '漢字',
  '39',
  ' 480',
  '\u00A0480',
  '\u202F480',
  '1.050',
  ',50',
  '.',
  ',',
  ' ',
  '\n',
  '§',
  '–',
  '„',
  '“',
  '…',
  '•',
  '²',
  'ß',
  'ª',
  '\u{1F600}',
  '\uD835',
  '\u{1D400}',
  '٣',
  '_',
  '-',
  '‐',
  '‛',
  '‟',
  '‧',
  '‘',
];

test('tokens are what the pattern matches', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        const matched = [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
          text: found,
          start: index,
          end: index + found.length,
        }));
        expect(tokenize(text)).toEqual(matched);
        expect(tokensOf(text)).toEqual(matched.map((token) => token.text));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('no more words are read than are wanted', () => {
  expect(tokenize('eins zwei drei', 2).map(({ text }) => text)).toEqual(['eins', 'zwei']);
  expect(tokenize('eins', 0)).toEqual([]);
});
