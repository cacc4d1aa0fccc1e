import { deserialize, serialize } from 'node:v8';

import type { AboutBase } from '../base/about.ts';
import type { Fault } from '../base/faults.ts';
import type { FilesRead } from '../base/load.ts';
import type { DenseData } from '../dense/embed.ts';
import type { IndexData } from '../index/build.ts';
import type { PostingsBlock } from '../index/postings.ts';
import type { KnownNames } from '../index/references.ts';
import { inShortTurns, type AsyncSteps, type Steps } from '../steps.ts';
import type { Source } from '../source.ts';
import type { ReviewBase } from '../review/review-base.ts';
import {
  columnsIn,
  countIn,
  FACTS,
  firstAfterFiles,
  GROUP,
  NAMES,
  partsOfFiles,
  type Count,
} from './parts.ts';
import { bytesOf, Damaged, Sealed, sealing, STEP } from './sealed.ts';
import type { StoredBytes } from './stored-bytes.ts';
import { piecesIn, piecesOf, StoredBlock } from './stored-postings.ts';
import { StoredTexts, withoutTexts } from './stored-texts.ts';
import { restoreFiles, storingFiles, type TakenFile } from './taken-files.ts';

/** An index on disk. */
export interface Snapshot {
  /** The content hash over the files, the model and the code that reads the files. */
  readonly hash: string;
  /** The hash of only the code that reads the files. */
  readonly code: string;
  /** ISO 8601. */
  readonly builtAt: string;
  readonly data: IndexData;
  /** The loader's warnings during the build. */
  readonly warnings: readonly Fault[];
  /** The description of the base. */
  readonly about: AboutBase | null;
  readonly review: ReviewBase;
  readonly files: FilesRead;
  /** The files that could not be read. */
  readonly unread: readonly Fault[];
  /** Each file with its content, sorted by path, so that a change reads no others. */
  readonly taken: readonly TakenFile[];
  readonly names: KnownNames;
  /** `null` if the search is by words only. */
  readonly dense: DenseData | null;
}

/** The part of a snapshot for everything that has no parts of its own. */
type Facts = Omit<Snapshot, 'taken' | 'names'>;

/** The bytes of a snapshot, made piece by piece. */
export const encodeSnapshot = (snapshot: Snapshot): Generator<Uint8Array> =>
  sealing(`${snapshot.hash}.${snapshot.code}`, partsOf(snapshot));

function* partsOf({ data, taken, names, ...facts }: Snapshot): Generator<Uint8Array> {
  const { sources, words, grams } = data;
  const without = { ...data, sources: [], words: { ...words, blocks: [] }, grams: { ...grams, blocks: [] } };
  yield serialize({
    sources: sources.length,
    taken: taken.length,
    words: words.blocks.length,
    grams: grams.blocks.length,
  } satisfies Count);
  yield serialize({ ...facts, data: without } satisfies Facts);
  yield serialize(names);
  for (const { listed, others } of storingFiles(taken, sources, GROUP)) {
    yield serialize(listed);
    yield serialize(others);
  }
  for (const block of [...words.blocks, ...grams.blocks]) {
    yield bytesOf(block.offsets);
    yield* piecesOf(block);
  }
  for (let from = 0; from < sources.length; from += GROUP)
    yield serialize(withoutTexts(sources.slice(from, from + GROUP)));
  for (const { text } of sources) yield serialize(text);
}

/** A snapshot whose files, texts and postings are in a file. */
export interface OpenSnapshot extends Omit<Snapshot, 'taken'> {
  /**
   * Reads the files with their content, only once. A start after which nothing has changed does not need them.
   *
   * @throws {Damaged} if a part is damaged
   */
  readonly taken: () => Promise<readonly TakenFile[]>;
  readonly sealed: Sealed;
}

/**
 * Decodes a snapshot step by step, because this takes seconds for a large base. The bytes stay in use.
 *
 * @param code the hash of the code that must have made the snapshot; without it, any code may have
 * @throws {Damaged} for bytes that are not a whole snapshot, or for a snapshot of other code
 */
export const decodeSnapshot = (bytes: StoredBytes, code?: string): Promise<OpenSnapshot> =>
  inShortTurns(decodingSnapshot(bytes, code));

/** Files, texts and postings, which are nearly all of a snapshot, are only read when they are needed. */
async function* decodingSnapshot(bytes: StoredBytes, code?: string): AsyncSteps<OpenSnapshot> {
  const sealed = await Sealed.open(bytes);
  if (code !== undefined && sealed.hash.split('.')[1] !== code) throw new Damaged();
  const count = countIn(sealed);
  const facts = deserialize(yield* sealed.part(FACTS)) as Facts;
  const names = deserialize(yield* sealed.part(NAMES)) as KnownNames;
  let part = firstAfterFiles(count);
  // The large arrays of the postings are made before most other objects, because V8 examines all existing objects for
  // each large array.
  const words: PostingsBlock[] = [];
  const grams: PostingsBlock[] = [];
  while (words.length + grams.length < count.words + count.grams) {
    const offsets = numbersOf(yield* sealed.part(part++));
    (words.length < count.words ? words : grams).push(new StoredBlock(sealed, part, offsets));
    part += piecesIn(offsets.at(-1)!);
  }
  // The texts of all sources are the last parts.
  const texts = new StoredTexts(sealed, sealed.count - count.sources);
  const { sources } = texts;
  while (sources.length < count.sources) {
    texts.add(columnsIn(sealed, part++));
    yield STEP;
  }
  const { data } = facts;
  let taken: Promise<readonly TakenFile[]> | undefined;
  return {
    ...facts,
    data: {
      ...data,
      sources,
      words: { ...data.words, blocks: words },
      grams: { ...data.grams, blocks: grams },
    },
    taken: () => (taken ??= inShortTurns(readingFiles(sealed, sources))),
    names,
    sealed,
  };
}

function* readingFiles(sealed: Sealed, sources: readonly Source[]): Steps<readonly TakenFile[]> {
  const taken: TakenFile[] = [];
  for (const part of partsOfFiles(countIn(sealed))) {
    const group = { listed: columnsIn(sealed, part), others: columnsIn(sealed, part + 1) };
    for (const file of restoreFiles(group, sources)) taken.push(file);
    yield STEP;
  }
  return taken;
}

const numbersOf = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): Uint32Array =>
  new Uint32Array(buffer, 0, byteLength / Uint32Array.BYTES_PER_ELEMENT);

/** The content hash of a whole snapshot; undefined for damaged or other data. */
export async function hashOfSnapshot(bytes: StoredBytes): Promise<string | undefined> {
  try {
    const sealed = await Sealed.open(bytes);
    await inShortTurns(sealed.checking());
    return sealed.hash.split('.')[0];
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return undefined;
  }
}
