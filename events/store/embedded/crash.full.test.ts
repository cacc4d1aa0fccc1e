import { expect, it } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.suite.ts';
import { runCrashTrial } from '../../../testing/crash/store-trial.ts';

// Thousands by command: `node testing/crash/store.ts --kills 2000`.
it('survives kills at random moments: nothing lost, nothing doubled, no key without its text', async () => {
  const folder = temporaryFolder();
  const report = await runCrashTrial({ folder, kills: 60 });
  expect(report.faults).toEqual([]);
  expect(report.appends).toBeGreaterThan(report.kills);
  expect(report.projected).toBeGreaterThan(0);
}, 600_000);
