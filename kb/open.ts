import { Worker } from 'node:worker_threads';

import { KnowledgeBaseInvalid, type Fault } from './base/faults.ts';
import { addCosines } from './dense/cosines.ts';
import type { DenseData } from './dense/embed.ts';
import { openEmbedder, type Embedder } from './dense/embedder.ts';
import { languagesOf } from './index/build.ts';
import { LexicalIndex, readingNames } from './index/lexical-index.ts';
import { opening } from './index/searched.ts';
import type { KnowledgeIndex } from './knowledge.ts';
import type { Hit, SearchOptions } from './hit.ts';
import { coverageOf } from './ranking/coverage.ts';
import { CANDIDATES, rankForPart, rankHits } from './ranking/rank.ts';
import { inTurns, TO_SEARCH, type Steps } from './ranking/steps.ts';
import type { PrepareOptions, Prepared } from './snapshot/prepare.ts';
import { decodingSnapshot, type Snapshot } from './snapshot/snapshot.ts';
import type { WorkerMessage } from './snapshot/worker.ts';
import type { ModelOptions } from './locate-model.ts';
import { ownTurn } from './turns.ts';

interface OpenedKnowledge {
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
 * @throws KnowledgeBaseInvalid with every fault of a base that cannot be used at all
 * @throws ModelUnusable where a model is asked for and cannot be used
 */
export async function openKnowledge(options: PrepareOptions): Promise<OpenedKnowledge> {
  const { bytes, fromSnapshot } = await prepareInWorker(options);
  // Asks on the index in service go on meanwhile.
  const snapshot = await inTurns(decodingSnapshot(bytes));
  const dense = await openDense(snapshot.dense, options.embedding);
  // This step has a turn of the event loop of its own, and so has what follows.
  await ownTurn();
  const searched = await inTurns(opening(snapshot.data));
  const names = await inTurns(readingNames(searched, snapshot.about));
  await ownTurn();
  const lexical = new LexicalIndex(snapshot.data, snapshot.about, { searched, names });
  return { index: indexOf(snapshot, lexical, dense), warnings: snapshot.warnings, fromSnapshot };
}

/**
 * Settles once the worker has ended, not when it says that it is done: V8 may abort the process where one thread ends
 * while another one starts.
 */
function prepareInWorker({ onProgress, ...workerData }: PrepareOptions): Promise<Prepared> {
  const worker = new Worker(new URL('snapshot/worker.ts', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    let settle = (code: number): void => reject(new Error(`the index worker stopped with code ${code}`));
    worker.on('message', (message: WorkerMessage) => {
      switch (message.kind) {
        case 'progress':
          onProgress?.(message.progress);
          break;
        case 'prepared':
          settle = () => resolve(message);
          break;
        case 'invalid':
          settle = () => reject(new KnowledgeBaseInvalid(message.faults));
          break;
      }
    });
    worker.on('error', reject);
    worker.on('exit', (code) => settle(code));
  });
}

interface DenseLeg {
  readonly data: DenseData;
  readonly embedder: Embedder;
  readonly close: () => Promise<void>;
}

/** Models in use, by hash: an index that is swapped for a newer one hands its model on, the last one closes it. */
const models = new Map<string, { readonly embedder: Promise<Embedder>; readonly users: Set<symbol> }>();

async function openDense(
  data: DenseData | null,
  embedding: ModelOptions | null = null,
): Promise<DenseLeg | null> {
  if (data === null || embedding === null || data.textHashes.length === 0) return null;
  const { embedder, close } = useModel(data.modelHash, embedding);
  try {
    return { data, embedder: await embedder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function useModel(
  hash: string,
  embedding: ModelOptions,
): { embedder: Promise<Embedder>; close: () => Promise<void> } {
  const model = models.get(hash) ?? { embedder: openEmbedder(embedding), users: new Set() };
  models.set(hash, model);
  // It is awaited later, or never needed.
  model.embedder.catch(() => undefined);
  const user = Symbol(hash);
  model.users.add(user);
  return {
    embedder: model.embedder,
    async close() {
      if (!model.users.delete(user) || model.users.size > 0) return;
      models.delete(hash);
      const embedder = await model.embedder.catch(() => null);
      await embedder?.close();
    },
  };
}

function indexOf(
  { hash, builtAt, data, about, review, files }: Snapshot,
  lexical: LexicalIndex,
  dense: DenseLeg | null,
): KnowledgeIndex {
  const found = async (question: string, { topK }: SearchOptions): Promise<Hit[]> => {
    if (dense === null) return lexical.search(question, { topK });
    const vector = await dense.embedder.embed([question]);
    const scores = lexical.score(question);
    addCosines(scores, vector, dense.data);
    return lexical.rank(question, scores, topK);
  };
  return {
    hash,
    builtAt,
    about,
    review,
    files,
    sources: data.sources,
    languages: languagesOf(data.sources),
    passageCount: lexical.passageCount,
    retrieval: dense === null ? 'lexical' : `lexical+dense:${dense.data.model}`,
    source: (id) => lexical.source(id),
    async search(question, options) {
      if (options.among !== undefined)
        return (await inTurns(rankForPart(lexical, question, options.among))).slice(0, options.topK);
      // A review may make many such searches.
      if (options.forFact === true) await ownTurn();
      await inTurns(reading(lexical, question));
      const hits = await found(question, { ...options, topK: Math.max(options.topK, CANDIDATES) });
      const ranked = options.forFact === true ? hits : await inTurns(ranking(lexical, question, hits));
      return ranked.slice(0, options.topK);
    },
    coverage: (question, hits, options) => coverageOf(lexical, question, hits, options),
    close: async () => dense?.close(),
  };
}

/** To read a long question takes as long as to search for it. */
function* reading(lexical: LexicalIndex, question: string): Steps<void> {
  lexical.read(question);
  yield TO_SEARCH * question.length;
}

/** After the search, which was done in the same turn. */
function* ranking(lexical: LexicalIndex, question: string, hits: readonly Hit[]): Steps<Hit[]> {
  yield TO_SEARCH * question.length;
  return yield* rankHits(lexical, question, hits);
}
