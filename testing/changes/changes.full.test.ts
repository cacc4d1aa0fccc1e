import { expect, test } from 'vitest';

import { runHistory } from './history.ts';
import { runKills } from './kills.ts';
import { runServing } from './serving.ts';

test('an index after random changes of files is that of a rebuild', async () => {
  const report = await runHistory({ changes: 60, seed: 47, compareAfter: 20 });
  expect(report.faults).toEqual([]);
  expect(report.taken).toBeGreaterThan(20);
});

test(
  'a start after a kill while changes are taken in is that of a rebuild',
  { timeout: 600_000 },
  async () => {
    const report = await runKills({ kills: 3, seed: 47 });
    expect(report.faults).toEqual([]);
    expect(report.changes).toBeGreaterThan(5);
  },
);

test('asks go on while files change', { timeout: 600_000 }, async () => {
  const report = await runServing({ minutes: 0.1, aloneMs: 1_000, files: 100, seed: 47, bursts: [1, 20] });
  expect(report.faults).toEqual([]);
  expect(report.answered).toBeGreaterThan(0);
  expect(report.bursts).toBeGreaterThan(0);
});
