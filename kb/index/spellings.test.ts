import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { hashOf } from '../analysis/tokens.ts';
import { Spellings } from './spellings.ts';

test('the same token has one number, wherever it stands, and others have others', () => {
  const tokens = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), { maxLength: 300 });
  fc.assert(
    fc.property(tokens, fc.string(), (tokens, before) => {
      const spellings = new Spellings();
      const numbers = new Map<string, number>();
      for (const token of tokens) {
        const text = `${before}${token} and more`;
        const end = before.length + token.length;
        const number = spellings.numberOf(text, before.length, end, hashOf(token));
        expect(number).toBe(numbers.get(token) ?? numbers.size);
        expect(spellings.of(number)).toBe(token);
        numbers.set(token, number);
      }
    }),
  );
});

test('tokens are told apart when their hashes are equal, and when the table has grown', () => {
  const spellings = new Spellings();
  const tokens = Array.from({ length: 5_000 }, (_, i) => `w${i}`);
  for (const [i, token] of tokens.entries())
    expect(spellings.numberOf(token, 0, token.length, i % 100)).toBe(i);
  for (const [i, token] of tokens.entries())
    expect(spellings.numberOf(token, 0, token.length, i % 100)).toBe(i);
});
