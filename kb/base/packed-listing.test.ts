import { expect, test } from 'vitest';

import { atOnce } from '../steps.ts';
import { packed, unpacking } from './packed-listing.ts';

test('a listing is unpacked as it was packed, in groups', () => {
  const found = Array.from({ length: 450 }, (_, number) => ({
    path: `Ordner/${number} Übersicht.md`,
    sign: `${number} 1764490000000.5`,
  }));
  const groups = packed(found);
  expect(groups).toHaveLength(3);
  expect(atOnce(unpacking(groups))).toEqual(found);
  expect(atOnce(unpacking(packed([])))).toEqual([]);
});
