import { workerData } from 'node:worker_threads';

import { cpuMicroseconds } from './cpu-time.ts';
import { ENDS, type Limits } from './document-limits.ts';

/**
 * Runs in a thread beside the parser, which may never return to its event loop. It ends the process if a file takes too
 * much time or memory, or if the parent is gone. V8's own limits do not include buffers, and WebAssembly has no limit.
 */
const { until, limits } = workerData as { until: BigInt64Array; limits: Limits };
const parent = process.ppid;

setInterval(() => {
  const end = Number(Atomics.load(until, 0));
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  else if (process.memoryUsage.rss() > limits.megabytes * 1024 ** 2)
    process.kill(process.pid, ENDS.megabytes);
  else if (end !== 0 && cpuMicroseconds() > end) process.kill(process.pid, ENDS.seconds);
}, 20);
