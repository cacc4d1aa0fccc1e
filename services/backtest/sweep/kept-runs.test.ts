import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { openKeptRuns } from './kept-runs.ts';
import type { Trial } from './sweep-summary.ts';

const folder = sharedFolder();
const OF = { strategy: 'abc', data: '123' };

const trial = (fast: number): Trial => ({
  parameters: { fast, slow: 2 * fast },
  returns: Float64Array.from([0.1 / fast, -0.01, 1 / 3]),
  trades: fast,
});

it('gives back what was kept, to the last bit', async () => {
  const file = join(folder, 'kept.ndjson');
  const first = await openKeptRuns(file, OF);
  expect(first.find({ fast: 3, slow: 6 })).toBeUndefined();
  await first.keep(trial(3));
  await first.close();
  const again = await openKeptRuns(file, OF);
  expect(again.count).toBe(1);
  expect(again.find({ slow: 6, fast: 3 })).toEqual(trial(3));
  expect(again.find({ fast: 3, slow: 7 })).toBeUndefined();
  await again.close();
});

it('goes on after a kill at any byte, and loses only what was not whole', async () => {
  const file = join(folder, 'cut.ndjson');
  const runs = await openKeptRuns(file, OF);
  for (const fast of [1, 2, 3]) await runs.keep(trial(fast));
  await runs.close();
  const whole = await readFile(file);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (size) => {
      await writeFile(file, whole);
      await truncate(file, size);
      const cut = await openKeptRuns(file, OF);
      for (const fast of [1, 2, 3]) {
        if (cut.find(trial(fast).parameters) === undefined) await cut.keep(trial(fast));
      }
      await cut.close();
      expect(await readFile(file)).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

it('does not mix runs of two sweeps, and says what differs', async () => {
  const file = join(folder, 'other.ndjson');
  await (await openKeptRuns(file, OF)).close();
  await expect(openKeptRuns(file, { ...OF, data: '124' })).rejects.toThrow(
    /has runs of something else: data was 123 and is 124 now\. Name another folder/,
  );
  const settings = { cash: '5', policy: { lot: '1' } };
  await expect(openKeptRuns(file, { ...OF, settings })).rejects.toThrow(
    'settings.cash was not named and is 5 now; settings.policy.lot was not named and is 1 now.',
  );
});
