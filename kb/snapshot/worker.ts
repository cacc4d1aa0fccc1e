import { parentPort, workerData, type Transferable } from 'node:worker_threads';

import { KnowledgeBaseInvalid, type Fault } from '../base/faults.ts';
import { prepareSnapshot, type Prepared, type PrepareOptions, type Progress } from './prepare.ts';

/** The messages of the worker that builds an index. */
export type WorkerMessage =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | ({ readonly kind: 'prepared' } & Prepared)
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[] };

const port = parentPort;
if (port === null) throw new Error('kb/snapshot/worker.ts runs in a worker thread only');
const say = (message: WorkerMessage, transfer: Transferable[] = []): void =>
  port.postMessage(message, transfer);

try {
  const prepared = await prepareSnapshot({
    ...(workerData as PrepareOptions),
    onProgress: (progress) => say({ kind: 'progress', progress }),
  });
  say({ kind: 'prepared', ...prepared }, 'fd' in prepared.kept ? [prepared.kept] : []);
} catch (error) {
  if (!(error instanceof KnowledgeBaseInvalid)) throw error;
  say({ kind: 'invalid', faults: error.faults });
}
