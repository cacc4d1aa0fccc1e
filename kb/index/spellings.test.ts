import { serialize } from 'node:v8';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { Letters } from '../analysis/letters.ts';
import { Spellings } from './spellings.ts';

test('the same token has one record, wherever it stands, and others have others', () => {
  const tokens = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), { maxLength: 300 });
  fc.assert(
    fc.property(tokens, fc.string(), (tokens, before) => {
      const spellings = new Spellings(2);
      const text = new Letters();
      const known = new Map<string, number>();
      for (const token of tokens) {
        text.read(`${before}${token} and more`);
        const place = spellings.placeOf(text, before.length, before.length + token.length);
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
  const text = new Letters();
  const tokens = Array.from({ length: 10_000 }, (_, i) => `w${i}`);
  const placesOf = (): number[] =>
    tokens.map((token, i) => {
      text.read(token);
      return spellings.placeOf(text, 0, token.length, i % 100);
    });
  const places = placesOf();
  expect(new Set(places).size).toBe(tokens.length);
  expect(placesOf()).toEqual(places);
  expect(spellings.tokens).toEqual(tokens);
});

test('a token has the same bytes in a snapshot, whatever text it was first read in', () => {
  expect(bytesAfter('„')).toEqual(bytesAfter(''));
});

function bytesAfter(before: string): Buffer {
  const spellings = new Spellings();
  const text = new Letters();
  text.read(`${before}Entgeltfortzahlung`);
  spellings.placeOf(text, before.length, text.length);
  return serialize(spellings.tokens);
}
