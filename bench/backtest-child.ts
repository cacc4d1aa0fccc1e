import { KINDS, type Counts, type Kind } from './backtest-kinds.ts';

export interface Run extends Counts {
  /** Microseconds of CPU time of one run. */
  readonly cpu: number;
}

const WARM_UP = 15;
/**
 * So many runs are one measurement: long enough that what each collects of its own garbage is in it. grademark collects
 * in every third five of its runs, so a median over fives left it out.
 */
const AT_A_TIME = 25;

// It warms up, runs once for each message, and ends with its parent.
const run = await KINDS[process.argv[2] as Kind]();
for (let n = 0; n < WARM_UP; n++) await run();
process.on('message', () => void measure());
process.send!('ready');

async function measure(): Promise<void> {
  const before = process.cpuUsage();
  for (let n = 1; n < AT_A_TIME; n++) await run();
  const counts = await run();
  const { user, system } = process.cpuUsage(before);
  process.send!({ ...counts, cpu: (user + system) / AT_A_TIME } satisfies Run);
}
