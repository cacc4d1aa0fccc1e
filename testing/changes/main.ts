import { parseArgs } from 'node:util';

import { runHistory } from './history.ts';
import { runKills } from './kills.ts';
import { runServing } from './serving.ts';

const USAGE = `npm run changes -- [options]
  --changes N  N random changes of the files of a base; at every hundredth the index is compared with a rebuild
  --kills N    kills a service N times while it takes changes in; each next start is compared with a rebuild
  --minutes N  four clients ask for N minutes while files change
  --seed S     draws the changes (default: the time)`;

const { values } = parseArgs({
  options: {
    changes: { type: 'string' },
    kills: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now()) },
    help: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const progress = (what: string): void => void process.stderr.write(`\r${what}   `);

async function run(): Promise<{ readonly faults: readonly string[] } | null> {
  if (values.help) return null;
  if (values.changes !== undefined) {
    const changes = Number(values.changes);
    return runHistory({ changes, seed, onCompared: (n) => progress(`${n}/${changes} changes`) });
  }
  if (values.kills !== undefined) {
    const kills = Number(values.kills);
    return runKills({ kills, seed, onKill: (n) => progress(`${n}/${kills} kills`) });
  }
  return values.minutes === undefined ? null : runServing({ minutes: Number(values.minutes), seed });
}

const began = performance.now();
const report = await run();
if (report === null) console.log(USAGE);
else {
  process.stderr.write('\n');
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(JSON.stringify({ seed, seconds, ...report }, null, 2));
  process.exitCode = report.faults.length === 0 ? 0 : 1;
}
