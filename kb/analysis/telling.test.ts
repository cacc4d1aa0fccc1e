import { describe, expect, it } from 'vitest';
import { tellingOf } from './telling.ts';

describe('what a word tells', () => {
  it('is least for what everybody says, more for a word that is said less, most for one that is on no list', () => {
    const told = ['machen', 'vertrag', 'umlageverfahren'].map((word) => tellingOf(word, 'de'));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(new Set(told).size).toBe(3);
    expect(told.at(-1)).toBe(1);
  });

  it('is a matter of the language', () => {
    expect(tellingOf('get', 'en')).toBeLessThan(tellingOf('get', 'de'));
  });
});
