import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { hashBase } from '../base/base-hash.ts';
import type { Fault } from '../base/faults.ts';
import { hashOfBytes, readBase } from '../base/files.ts';
import { assembling, contentsOf, documentsIn, type KnowledgeBase } from '../base/load.ts';
import { parseDocuments, type ParsedDocument } from '../documents/parse.ts';
import { embedSentences, type DenseData } from '../dense/embed.ts';
import { hashOfModel, openEmbedder } from '../dense/embedder.ts';
import type { IndexData } from '../index/build.ts';
import { buildInThreads } from '../index/build-in-threads.ts';
import { References } from '../index/references.ts';
import { hashOfCode } from './code-hash.ts';
import { snapshotIn } from './listed-files.ts';
import { keepWords, openWordReader } from './kept-words.ts';
import { writeDurably } from './durable-file.ts';
import { Damaged } from './sealed.ts';
import {
  decodeSnapshot,
  encodeSnapshot,
  hashOfSnapshot,
  type OpenSnapshot,
  type Snapshot,
} from './snapshot.ts';
import { BytesInMemory, BytesOfFile } from './stored-bytes.ts';
import { NOT_TAKEN, takeFile, type TakenFile } from './taken-files.ts';
import type { ModelOptions } from '../locate-model.ts';
import { atOnce } from '../steps.ts';
import { unknownSynonymsOf } from '../check.ts';

export interface Progress {
  readonly phase: 'read' | 'index' | 'embed';
  readonly done: number;
  readonly total: number;
}

export interface PrepareOptions {
  readonly folder: string;
  /** The folder of the snapshot; with `null` nothing is stored on disk. */
  readonly snapshotDir: string | null;
  /** The embedding model for dense retrieval. If it is absent or `null`, the search is by words only. */
  readonly embedding?: ModelOptions | null;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Prepared {
  /** The snapshot: an open file, which the receiver closes, or bytes in memory if nothing is stored on disk. */
  readonly kept: FileHandle | readonly Uint8Array[];
  /** True if the snapshot on disk still matches the files. */
  readonly fromSnapshot: boolean;
}

/** The words of the sources that the snapshot was built from. */
const WORDS_FILE = 'knowledge.words';
/** The cached content of documents. */
export const DOCUMENTS_FOLDER = 'documents';

/**
 * Reads the base. Returns the snapshot on disk if it was built from the same bytes; otherwise builds and writes a
 * snapshot.
 *
 * @throws KnowledgeBaseInvalid if the base cannot be used at all; the snapshot on disk then stays as it is
 * @throws the file system's error if the snapshot cannot be read or written
 */
export async function prepareSnapshot(options: PrepareOptions): Promise<Prepared> {
  const { snapshotDir } = options;
  const path = snapshotDir && snapshotIn(snapshotDir);
  const snapshot = await built(options, path);
  if (path === null) return { kept: [...encodeSnapshot(snapshot!)], fromSnapshot: false };
  if (snapshot !== null) await writeDurably(path, encodeSnapshot(snapshot));
  return { kept: await open(path), fromSnapshot: snapshot === null };
}

/** Decodes what was prepared. */
export async function snapshotOf({ kept }: Pick<Prepared, 'kept'>): Promise<OpenSnapshot> {
  const bytes = 'fd' in kept ? (await BytesOfFile.of(kept)).closedWhenUnused() : new BytesInMemory(kept);
  return decodeSnapshot(bytes);
}

/** Builds a snapshot; `null` if the snapshot on disk was built from the same bytes. */
async function built(options: PrepareOptions, path: string | null): Promise<Snapshot | null> {
  const { snapshotDir, embedding = null, onProgress } = options;
  const codeHash = await hashOfCode();
  const read = await readFiles(options, path, codeHash);
  if (read === null) return null;
  const { base, files, hash, unread } = read;
  const wordsPath = snapshotDir === null ? null : join(snapshotDir, WORDS_FILE);
  const reader = await openWordReader(wordsPath, codeHash);
  const data = await buildInThreads(base.sources, base.synonyms, {
    reader,
    onProgress: (done, total) => onProgress?.({ phase: 'index', done, total }),
    onRead: async () => {
      if (wordsPath !== null) await keepWords(wordsPath, codeHash, reader.kept());
    },
  });
  const dense = embedding === null ? null : await embedWith(embedding, data, path, onProgress);
  return {
    hash,
    code: codeHash,
    builtAt: new Date().toISOString(),
    data,
    warnings: [...base.warnings, ...unknownSynonymsOf(data)],
    about: base.about,
    review: base.review,
    files: base.files,
    unread,
    taken: files,
    names: atOnce(References.reading(base.sources, [], base.about)).known,
    dense,
  };
}

interface ReadBase {
  readonly base: KnowledgeBase;
  readonly files: readonly TakenFile[];
  readonly hash: string;
  readonly unread: readonly Fault[];
}

/**
 * Reads and parses the files. Their bytes are freed afterwards. `null` if the snapshot on disk was built from the same
 * bytes.
 */
async function readFiles(
  { folder, snapshotDir, embedding = null, onProgress }: PrepareOptions,
  path: string | null,
  codeHash: string,
): Promise<ReadBase | null> {
  const found = await readBase(folder);
  const modelHash = embedding === null ? '' : await hashOfModel(embedding);
  const hashes = found.files.map(({ path, bytes }) => ({ path, hash: hashOfBytes(bytes) }));
  await using present = path === null ? undefined : await BytesOfFile.open(path);
  const hash = hashBase(hashes, found.unread, codeHash, modelHash);
  if (present !== undefined && (await hashOfSnapshot(present)) === hash) return null;

  const documents = await parseDocuments(documentsIn(found.files), {
    cacheDir: snapshotDir === null ? null : join(snapshotDir, DOCUMENTS_FOLDER),
    onProgress: (done, total) => onProgress?.({ phase: 'read', done, total }),
  });
  const contents = contentsOf(found.files, documents);
  const taken = hashesTaken(hashes, documents);
  return {
    base: atOnce(assembling(contents, found)),
    files: found.files.map((file, number) => takeFile(file, taken[number]!.hash, contents[number]!)),
    hash: hashBase(taken, found.unread, codeHash, modelHash),
    unread: found.unread,
  };
}

/**
 * The hash of each file. A file that must be read again gets another hash, so that the next start rebuilds the index.
 */
function hashesTaken(
  hashes: readonly { readonly path: string; readonly hash: string }[],
  documents: readonly ParsedDocument[],
): readonly { readonly path: string; readonly hash: string }[] {
  const again = new Set(documents.filter(({ tryAgain }) => tryAgain === true).map(({ path }) => path));
  return again.size === 0
    ? hashes
    : hashes.map(({ path, hash }) => ({ path, hash: again.has(path) ? NOT_TAKEN : hash }));
}

/** Embeds the sentences. Vectors of the previous snapshot are reused if model and sentence are the same. */
async function embedWith(
  embedding: ModelOptions,
  data: IndexData,
  path: string | null,
  onProgress: PrepareOptions['onProgress'],
): Promise<DenseData> {
  const previous = path === null ? null : await denseIn(path);
  const embedder = await openEmbedder(embedding);
  try {
    return await embedSentences(data, embedder, previous, (done, total) =>
      onProgress?.({ phase: 'embed', done, total }),
    );
  } finally {
    await embedder.close();
  }
}

async function denseIn(path: string): Promise<DenseData | null> {
  await using bytes = await BytesOfFile.open(path);
  if (bytes === undefined) return null;
  try {
    return (await decodeSnapshot(bytes)).dense;
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return null;
  }
}
