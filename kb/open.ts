import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { formatFault, KnowledgeBaseInvalid, type Fault } from './base/faults.ts';
import type { DifferingWalk } from './base/walk-worker.ts';
import type { KnowledgeBase } from './base/load.ts';
import { findingUnknownSynonyms } from './check.ts';
import { addCosines } from './dense/cosines.ts';
import type { DenseData } from './dense/embed.ts';
import { openEmbedder, type Embedder } from './dense/embedder.ts';
import { keepParsed } from './documents/parse.ts';
import { LexicalIndex, readingNames, type Names } from './index/lexical-index.ts';
import { listAtStart, type FirstListing, type FolderLook } from './base/look.ts';
import { listed } from './base/files.ts';
import type { Found } from './base/walk.ts';
import type { IndexData } from './index/build.ts';
import { changing } from './index/change.ts';
import { opening, type OpenedIndex } from './index/searched.ts';
import type { KnowledgeIndex } from './knowledge.ts';
import type { Hit, SearchOptions } from './hit.ts';
import type { Source } from './source.ts';
import { coverageOf } from './ranking/coverage.ts';
import { CANDIDATES, rankForPart, rankHits } from './ranking/rank.ts';
import {
  inShortTurns,
  inTurns,
  shortTurns,
  TO_SEARCH,
  type AsyncSteps,
  type ShortTurns,
  type Steps,
} from './steps.ts';
import { DOCUMENTS_FOLDER, snapshotOf, type Prepared, type PrepareOptions } from './snapshot/prepare.ts';
import { snapshotIn } from './snapshot/listed-files.ts';
import { Damaged, type Sealed } from './snapshot/sealed.ts';
import { decodeSnapshot, type OpenSnapshot, type Snapshot } from './snapshot/snapshot.ts';
import { BytesOfFile } from './snapshot/stored-bytes.ts';
import { hashOfCode } from './snapshot/code-hash.ts';
import { findingGone, takeChanges, type TakeOptions } from './snapshot/take-changes.ts';
import type { TakenFile } from './snapshot/taken-files.ts';
import type { WorkerMessage } from './snapshot/worker.ts';
import type { ModelOptions } from './locate-model.ts';
import { ownTurn } from './turns.ts';

interface OpenedKnowledge {
  readonly index: KnowledgeIndex;
  /** Unusual but usable things that the loader found. */
  readonly warnings: readonly Fault[];
  /** True if no index was built. */
  readonly fromSnapshot: boolean;
  /**
   * Loads the postings in the background, so that later searches need not read them. A damaged part ends the loading,
   * and `isDamaged` is true from then on.
   */
  readonly load: () => void;
}

/** How a base is opened. A listing of its folder may be under way already. */
export interface OpenOptions extends PrepareOptions {
  readonly listing?: FirstListing;
}

/** The listing of the files, made before any of them was read, so that later changes are noticed. */
interface Looked {
  /**
   * Returns the listing.
   * @throws the file system's error where the folder could not be read
   */
  readonly look: () => Promise<FolderLook>;
}

/** What a base consisted of: its files, sorted by path, and its sources, sorted by id. */
interface BaseContent {
  readonly files: readonly Pick<TakenFile, 'path' | 'hash'>[];
  readonly sources: readonly Source[];
}

interface Started {
  /**
   * The content of the snapshot, if the snapshot could be read and files have changed since; otherwise `null`. It is
   * also `null` for an index with vectors.
   */
  readonly before: BaseContent | null;
}

/**
 * Opens a knowledge base: loads its snapshot and takes in files that have changed since. Without a snapshot, or after
 * many changes, the index is built (`buildKnowledge`).
 *
 * @example const { index } = await openKnowledge({ folder: 'kb/corpus', snapshotDir: 'data' });
 * @throws KnowledgeBaseInvalid with every fault of a base that cannot be used at all
 * @throws ModelUnusable where a model is asked for and cannot be used
 */
export async function openKnowledge({
  listing: underWay,
  ...options
}: OpenOptions): Promise<OpenedKnowledge & Looked & Started> {
  const { folder, snapshotDir } = options;
  // A thread lists the folder while the snapshot is read. For half a million files, each of the two takes about the
  // same time.
  const listing = underWay ?? listAtStart(folder, snapshotDir && snapshotIn(snapshotDir));
  const snapshot = await keptSnapshot(options);
  const before = snapshot && contentOf(snapshot);
  const kept = snapshot && (await openKept(snapshot, listing, options));
  const opened = kept ?? (await buildAfter(listing.whole(null), options));
  const isSame = before === null || before.hash === opened.index.hash;
  return { ...opened, before: isSame ? null : await before.read().catch(noneIfDamaged) };
}

/**
 * Keeps only what the content needs, so that the rest of the snapshot is not in memory while another index is built.
 */
const contentOf = ({ hash, taken, data: { sources } }: OpenSnapshot) => ({
  hash,
  read: async (): Promise<BaseContent> => ({ files: await taken(), sources }),
});

/** A build begins after the listing, so that later changes are noticed. */
async function buildAfter(look: Looked['look'], options: PrepareOptions): Promise<OpenedKnowledge & Looked> {
  await look().catch(() => undefined);
  return { ...(await buildKnowledge(options)), look };
}

/**
 * Reads all files and builds the index in a worker thread, so that asks with an older index can go on; a snapshot of
 * the same files is reused.
 *
 * @throws as `openKnowledge`
 */
export async function buildKnowledge(options: PrepareOptions): Promise<OpenedKnowledge> {
  const prepared = await prepareInWorker(options);
  const snapshot = await snapshotOf(prepared);
  const dense = await openDense(snapshot.dense, options.embedding);
  return {
    index: await openSnapshot(snapshot, dense),
    warnings: snapshot.warnings,
    fromSnapshot: prepared.fromSnapshot,
    load: loadingLater(snapshot),
  };
}

/**
 * Opens the index of a snapshot with the present files. `null` if too much has changed since the snapshot, or if a part
 * of it is damaged that the change needs.
 */
async function openKept(
  snapshot: OpenSnapshot,
  listing: FirstListing,
  options: PrepareOptions,
): Promise<(OpenedKnowledge & Looked) | null> {
  const whole = await openSnapshot(snapshot, null);
  const differing = await listed(() => listing.differing, options.folder);
  const isOfIt = differing?.snapshot === snapshot.sealed.hash;
  const look = listing.whole(isOfIt ? () => listedIn(snapshot) : null);
  const isSame = isOfIt && isUnchanged(differing, snapshot);
  try {
    const changed = isSame
      ? { index: whole, warnings: null }
      : await changeKnowledge(whole, { ...options, walking: look });
    if (changed === null) return null;
    const { index } = changed;
    await keepParsed(join(options.snapshotDir!, DOCUMENTS_FOLDER), async () =>
      (await filesOf(index)).filter(({ content }) => content.kind === 'document'),
    );
    return {
      index,
      look,
      warnings: changed.warnings ?? snapshot.warnings,
      fromSnapshot: isWhole(index),
      load: loadingLater(snapshot),
    };
  } catch (error) {
    return noneIfDamaged(error);
  }
}

/**
 * The files of a snapshot as a listing has them. They are copied, because a listing lives longer than the snapshot, and
 * the files' other fields would keep the texts in memory and the snapshot's file open. A file without a sign always
 * counts as changed.
 */
const listedIn = async (snapshot: OpenSnapshot): Promise<readonly Found[]> =>
  inShortTurns(listing(await snapshot.taken()));

function* listing(taken: readonly TakenFile[]): Steps<Found[]> {
  const found: Found[] = [];
  for (const { path, sign = '' } of taken) {
    found.push({ path, sign });
    if (found.length % LISTED_AT_ONCE === 0) yield LISTED_AT_ONCE;
  }
  return found;
}
const LISTED_AT_ONCE = 500;

/**
 * Whether the folder still has the files of a snapshot, with the same sizes and times, and the same files that cannot
 * be read.
 */
const isUnchanged = ({ gone, come, unread }: DifferingWalk, before: OpenSnapshot): boolean =>
  gone.length + come.length === 0 &&
  unread.map(formatFault).join('\n') === before.unread.map(formatFault).join('\n');

/**
 * The snapshot on disk. `null` if there is none, if it is damaged, or if other code has made it. `null` also for a base
 * with vectors, because only the worker checks whether they fit.
 */
async function keptSnapshot({ snapshotDir, embedding = null }: PrepareOptions): Promise<OpenSnapshot | null> {
  if (snapshotDir === null || embedding !== null) return null;
  const bytes = await BytesOfFile.open(snapshotIn(snapshotDir));
  if (bytes === undefined) return null;
  const code = await hashOfCode();
  const snapshot = await decodeSnapshot(bytes.closedWhenUnused(), code).catch(noneIfDamaged);
  return snapshot?.dense === null ? snapshot : null;
}

function noneIfDamaged(error: unknown): null {
  if (!(error instanceof Damaged)) throw error;
  return null;
}

async function openSnapshot(snapshot: OpenSnapshot, dense: DenseLeg | null): Promise<KnowledgeIndex> {
  // This step and the next one each get a turn of the event loop to themselves.
  await ownTurn();
  const base = await inShortTurns(opening(snapshot.data));
  const names = await inShortTurns(readingNames(base, snapshot.about, { known: snapshot.names }));
  await ownTurn();
  const index = indexOf(
    snapshot,
    new LexicalIndex(base.data, snapshot.about, { searched: base, names }),
    dense,
  );
  sealedOf.set(index, snapshot.sealed);
  // An index with vectors is rebuilt after a change.
  if (snapshot.dense === null)
    bases.set(index, { base, names, files: snapshot.taken, whole: snapshot.taken });
  return index;
}

/** The data from which an index can be changed: the index as it was built, and its files. */
interface ChangeableBase {
  readonly base: OpenedIndex;
  readonly names: Names;
  /** Sorted by path. */
  readonly files: OpenSnapshot['taken'];
  /** The files of the index as it was built, sorted by path. */
  readonly whole: OpenSnapshot['taken'];
}

const bases = new WeakMap<KnowledgeIndex, ChangeableBase>();

const loadingLater =
  ({ data, taken }: OpenSnapshot) =>
  (): void =>
    void taken()
      .then(() => inShortTurns(loading(data)))
      .catch(() => undefined);

async function* loading({ words, grams }: Pick<IndexData, 'words' | 'grams'>): AsyncSteps<void> {
  for (const block of [...words.blocks, ...grams.blocks])
    if (block.loading !== undefined) yield* block.loading();
}

/** The snapshot from which each index reads texts and postings. */
const sealedOf = new WeakMap<KnowledgeIndex, Sealed>();

/** Whether a part of the index's snapshot could not be read, so that the index must be built again. */
export const isDamaged = (index: KnowledgeIndex): boolean => sealedOf.get(index)?.isDamaged ?? false;

/** The files of an index without vectors, sorted by path. */
export const filesOf = (index: KnowledgeIndex): Promise<readonly TakenFile[]> => bases.get(index)!.files();

/** The indexes that were made from a larger one by changes, so that the snapshot does not have them. */
const changedIndexes = new WeakMap<KnowledgeIndex, { readonly hidesText: boolean }>();

/** Whether the index was built at once, as the snapshot has it, and not made from another index by changes. */
export const isWhole = (index: KnowledgeIndex): boolean => !changedIndexes.has(index);

/** Whether the index's snapshot and its memory still contain text of files that were removed or changed. */
export const hidesText = (index: KnowledgeIndex): boolean => changedIndexes.get(index)?.hidesText ?? false;

/** The facts about an index and its base. */
type About = Pick<Snapshot, 'hash' | 'builtAt' | 'about' | 'review' | 'files'>;

interface ChangedKnowledge {
  readonly index: KnowledgeIndex;
  /** The state of the files. */
  readonly look: FolderLook;
  /** Unusual but usable things that the loader found; `null` if they are as before. */
  readonly warnings: readonly Fault[] | null;
}

/**
 * The index of the present files, if few of them have changed since `before` was made. Only the changed files are read;
 * they are indexed beside the rest, in this thread, in turns of the event loop. `null` if a build in a worker is
 * better. Only the cache of parsed documents is written; the next start compares its snapshot with the files again.
 *
 * @throws KnowledgeBaseInvalid as `openKnowledge`
 */
export async function changeKnowledge(
  before: KnowledgeIndex,
  options: TakeOptions,
): Promise<ChangedKnowledge | null> {
  const known = bases.get(before);
  if (known === undefined) return null;
  const run = shortTurns();
  const changed = await takeChanges(await known.files(), before, options, run);
  if (changed === null) return null;
  const { base, hash, files, walk } = changed;
  const made =
    base === null ? { index: { ...before }, warnings: null } : await changeIndex(known, base, hash, run);
  if (made === null) return null;
  bases.set(made.index, { ...known, files: async () => files });
  sealedOf.set(made.index, sealedOf.get(before)!);
  if (base !== null || !isWhole(before)) {
    const hidesText = await run(findingGone(await known.whole(), files));
    changedIndexes.set(made.index, { hidesText });
  }
  return { ...made, look: walk };
}

async function changeIndex(
  large: Pick<ChangeableBase, 'base' | 'names'>,
  base: KnowledgeBase,
  hash: string,
  run: ShortTurns,
): Promise<Pick<ChangedKnowledge, 'index' | 'warnings'> | null> {
  const searched = await run(changing(large.base, base.sources));
  if (searched === null) return null;
  const names = await run(readingNames(searched, base.about, { large: large.names }));
  await ownTurn();
  const about = { ...base, hash, builtAt: new Date().toISOString() };
  const index = indexOf(about, new LexicalIndex(large.base.data, base.about, { searched, names }), null);
  const unknown = await run(findingUnknownSynonyms(searched));
  return { index, warnings: [...base.warnings, ...unknown] };
}

/**
 * Settles when the worker has ended, not when it reports its result, because V8 may abort the process if one thread
 * ends while another starts.
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

/**
 * Models in use, by hash: a new index takes over the model of the one that it replaces, and the last index closes it.
 */
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
  // An error is reported to those who await the model. There may be nobody yet.
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
  { hash, builtAt, about, review, files }: About,
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
    sources: lexical.data.sources,
    languages: lexical.languages,
    passageCount: lexical.passageCount,
    retrieval: dense === null ? 'lexical' : `lexical+dense:${dense.data.model}`,
    source: (id) => lexical.source(id),
    async search(question, options) {
      if (options.among !== undefined)
        return (await inTurns(rankForPart(lexical, question, options.among))).slice(0, options.topK);
      // A review may make many searches for facts, so each of them gets a turn of the event loop.
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

/** Reads a question in a step of its own, because reading a long question takes as long as searching for it. */
function* reading(lexical: LexicalIndex, question: string): Steps<void> {
  lexical.read(question);
  yield TO_SEARCH * question.length;
}

/** Ranks the hits. The first step counts the search, which was done in the same turn. */
function* ranking(lexical: LexicalIndex, question: string, hits: readonly Hit[]): Steps<Hit[]> {
  yield TO_SEARCH * question.length;
  return yield* rankHits(lexical, question, hits);
}
