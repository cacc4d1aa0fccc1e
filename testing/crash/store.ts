// `node testing/crash/store.ts --kills 2000` runs the crash test of the bare store and vault as long as wanted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCrashTrial, type CrashReport } from './store-trial.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '2000' } } });
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) {
  console.error('usage: node testing/crash/store.ts [--kills 2000]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'crash-'));
const began = performance.now();
const show = (report: CrashReport): void => {
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${report.kills} kills (${report.killsAtStart} at start) in ${seconds.toFixed(0)} s: ` +
      `${report.appends} appends acknowledged, ${report.events} events, ${report.erased} keys erased, ${report.projected} projected`,
  );
};
const report = await runCrashTrial({
  folder,
  kills,
  onProgress: (now) => {
    if (now.kills % 100 === 0) show(now);
  },
});
show(report);
for (const fault of report.faults) console.error(`FAULT ${fault}`);
if (report.faults.length > 0) {
  console.error(`the files are kept in ${folder}`);
  process.exit(1);
}
rmSync(folder, { recursive: true });
console.log('nothing lost, nothing doubled, every chain whole, every key with its text');
