import { zipSync } from 'fflate';
import { expect, it } from 'vitest';

import { MOST_FILES_PACKED } from './document-limits.ts';
import { xlsx } from './xlsx.ts';

it('says the limit that an Office file with too many files is beyond, and what to do', async () => {
  const names = Array.from({ length: MOST_FILES_PACKED + 1 }, (_, i) => [`${i}.txt`, new Uint8Array()]);
  const file = zipSync(Object.fromEntries(names) as Record<string, Uint8Array>, { level: 0 });
  await expect(async () => xlsx.parse(file, 'a.xlsx')).rejects.toThrow(
    'holds more than 20,000 files: divide it',
  );
});
