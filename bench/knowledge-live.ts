import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runServing } from '../testing/changes/serving.ts';
import { write } from './knowledge-change.ts';
import { enlarge, questionsOn, realSources } from './synthetic-base.ts';

const QUESTIONS = 200;

/**
 * `npm run bench -- knowledge-live [--passages 100000] [--minutes 3] [--think 400]`: `beleg serve` over a large base that it watches.
 * Four clients ask, each pausing for `think` milliseconds on average between its asks, while one file after the other changes: how long
 * until a change is in service, and what asks take meanwhile and otherwise.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      passages: { type: 'string', default: '100000' },
      minutes: { type: 'string', default: '3' },
      think: { type: 'string', default: '400' },
    },
  });
  const sources = enlarge((await realSources()).sources, Number(values.passages));
  const { alone, meanwhile, oneInService, memory, asks, faults } = await runServing({
    minutes: Number(values.minutes),
    seed: 1,
    thinkMs: Number(values.think),
    files: 50,
    bursts: [1],
    fill: async (folder) => {
      await write(join(folder, 'filled'), sources);
      return questionsOn(sources, QUESTIONS);
    },
  });
  console.log(
    `${values.passages} passages in ${sources.length} files, ${asks} asks; load of the machine ${loadavg()[0]!.toFixed(1)}`,
  );
  for (const [name, { count, p50, p95, most }] of Object.entries({
    'asks while nothing changes': alone,
    'asks while a change is taken in': meanwhile,
    'a change until it is in service': oneInService,
  }))
    console.log(`${name}: ${count}, p50 ${p50}, p95 ${p95}, most ${most} ms`);
  console.log(`memory in MiB: ${memory.join(' ')}`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
