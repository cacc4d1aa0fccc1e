import { workerData } from 'node:worker_threads';

import type { Limits } from './parse-limits.ts';

/**
 * Runs beside the parsing thread, which may never return to its event loop. It ends the process if it needs too much memory,
 * or if the parent is gone. V8's own limits do not count buffers, and WebAssembly has none.
 */
const { until, limits } = workerData as { until: BigInt64Array; limits: Limits };
const parent = process.ppid;
/** The parent ends what takes too long, and can name it then. This is for a parent that has gone on without its children. */
const GRACE_MS = 5000;

setInterval(() => {
  const end = Number(Atomics.load(until, 0));
  const isLate = end !== 0 && Date.now() > end + GRACE_MS;
  if (isLate || process.ppid !== parent || process.memoryUsage.rss() > limits.megabytes * 1024 ** 2)
    process.kill(process.pid, 'SIGKILL');
}, 20);
