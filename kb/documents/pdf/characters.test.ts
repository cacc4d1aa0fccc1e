import { expect, it } from 'vitest';

import { characterOf, inTex, isOfTex } from './characters.ts';

it('reads the ligatures and signs of a font of TeX that the file does not explain', () => {
  const told = [0x9f, 0x34, 0x20, 0x1c, 0x6e, 0x61, 0x6e, 0x7a, 2, 0x1d, 1].map(characterOf);
  expect(told.join('')).toBe('§4 finanz-fl');
  expect([0x9f, 0xff].map(isOfTex)).toEqual([true, false]);
  expect(Array.from('grüÿt', inTex).join('')).toBe('grüßt');
});
