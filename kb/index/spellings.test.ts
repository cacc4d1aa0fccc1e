import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { Spellings } from './spellings.ts';

test('the same token has one record, wherever it stands, and others have others', () => {
  const tokens = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), { maxLength: 300 });
  fc.assert(
    fc.property(tokens, fc.string(), (tokens, before) => {
      const spellings = new Spellings(2);
      const known = new Map<string, number>();
      for (const token of tokens) {
        const place = spellings.placeOf(
          `${before}${token} and more`,
          before.length,
          before.length + token.length,
        );
        const number = known.get(token) ?? known.size;
        expect(spellings.numberAt(place)).toBe(number);
        expect(spellings.tokenAt(place)).toBe(token);
        expect([spellings.get(place, 0), spellings.get(place, 1)]).toEqual(
          known.has(token) ? [number, 7] : [0, 0],
        );
        spellings.set(place, 0, number);
        spellings.set(place, 1, 7);
        known.set(token, number);
      }
    }),
  );
});

test('tokens are told apart when their hashes are equal, and when the table has grown', () => {
  const spellings = new Spellings();
  const tokens = Array.from({ length: 10_000 }, (_, i) => `w${i}`);
  const places = tokens.map((token, i) => spellings.placeOf(token, 0, token.length, i % 100));
  expect(new Set(places).size).toBe(tokens.length);
  expect(tokens.map((token, i) => spellings.placeOf(token, 0, token.length, i % 100))).toEqual(places);
  expect(spellings.tokens).toEqual(tokens);
});
