import { Worker } from 'node:worker_threads';

import { KnowledgeBaseInvalid, type Fault } from './base/faults.ts';
import { coverageOf } from './coverage.ts';
import { LexicalIndex } from './index/lexical-index.ts';
import type { KnowledgeIndex } from './knowledge.ts';
import type { PrepareOptions, Prepared } from './snapshot/prepare.ts';
import { decodeSnapshot, type Snapshot } from './snapshot/snapshot.ts';
import type { WorkerMessage } from './snapshot/worker.ts';

export type OpenOptions = PrepareOptions;

export interface OpenedKnowledge {
  readonly index: KnowledgeIndex;
  /** What the loader found odd but usable. */
  readonly warnings: readonly Fault[];
  /** True where nothing had to be built. */
  readonly fromSnapshot: boolean;
}

/**
 * Opens a knowledge base: loads its snapshot where that still matches the files, else builds the index. Reading,
 * hashing and building happen in a worker thread, so that asks on an older index go on meanwhile.
 *
 * @example const { index } = await openKnowledge({ folder: 'kb/corpus', snapshotDir: 'data' });
 * @throws KnowledgeBaseInvalid with every fault of the base
 */
export async function openKnowledge(options: OpenOptions): Promise<OpenedKnowledge> {
  const { bytes, fromSnapshot } = await prepareInWorker(options);
  const snapshot = decodeSnapshot(bytes);
  return { index: indexOf(snapshot), warnings: snapshot.warnings, fromSnapshot };
}

function prepareInWorker({ onProgress, ...workerData }: OpenOptions): Promise<Prepared> {
  const worker = new Worker(new URL('snapshot/worker.ts', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: WorkerMessage) => {
      switch (message.kind) {
        case 'progress':
          return onProgress?.(message.progress);
        case 'prepared':
          return resolve(message);
        case 'invalid':
          return reject(new KnowledgeBaseInvalid(message.faults));
      }
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`the index worker ended with code ${code}`)));
  });
}

function indexOf({ hash, builtAt, data, calibration }: Snapshot): KnowledgeIndex {
  const lexical = new LexicalIndex(data);
  return {
    hash,
    builtAt,
    sources: data.sources,
    passageCount: lexical.passageCount,
    retrieval: 'lexical',
    source: (id) => lexical.source(id),
    search: async (question, options) => lexical.search(question, options),
    coverage: (question, hits) => coverageOf(lexical, question, hits, calibration),
  };
}
