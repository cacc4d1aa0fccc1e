import { parentPort, workerData } from 'node:worker_threads';

import type { Source } from '../source.ts';
import { WordReader } from './word-reader.ts';

/** Reads the words of the sources it is given, and ends. */
const port = parentPort;
if (port === null) throw new Error('kb/index/reading-worker.ts runs in a worker thread only');
const reader = new WordReader();
for (const source of workerData as readonly Source[]) reader.read(source);
port.postMessage(reader.kept());
