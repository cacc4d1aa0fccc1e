import { expect, test } from 'vitest';
import { firstFew } from './first-few.ts';

test.each([
  [firstFew([], 2), ''],
  [firstFew(['a', 'b'], 2), 'a, b'],
  [firstFew(['a', 'b', 'c'], 2), 'a, b and 1 more'],
  [firstFew(['a', 'b'], 2, { of: 9, between: '; ' }), 'a; b and 7 more'],
])('names the first of many: %s', (told, expected) => expect(told).toBe(expected));
