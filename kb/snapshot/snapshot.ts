import { deserialize, serialize } from 'node:v8';

import type { AboutBase } from '../base/about.ts';
import type { Fault } from '../base/faults.ts';
import type { FilesRead } from '../base/load.ts';
import type { DenseData } from '../dense/embed.ts';
import type { IndexData } from '../index/build.ts';
import type { PostingsBlock } from '../index/postings.ts';
import type { KnownNames } from '../index/references.ts';
import { inShortTurns, type AsyncSteps } from '../steps.ts';
import type { ReviewBase } from '../review/review-base.ts';
import type { Columns } from './columns.ts';
import { bytesOf, Damaged, Sealed, sealing, STEP } from './sealed.ts';
import type { StoredBytes } from './stored-bytes.ts';
import { piecesIn, piecesOf, StoredBlock } from './stored-postings.ts';
import { StoredTexts, withoutTexts } from './stored-texts.ts';
import { restoreFiles, storingFiles, type TakenFile } from './taken-files.ts';

/** An index on disk. */
export interface Snapshot {
  /** The content hash over the files, the model and the code that reads them. */
  readonly hash: string;
  /** The hash of that code alone. */
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
  /** Each file with its content, sorted by path, so that a change reads no others. */
  readonly taken: readonly TakenFile[];
  readonly names: KnownNames;
  /** `null` if the search is by words only. */
  readonly dense: DenseData | null;
}

/** The sources or files that are decoded in one step, which takes a millisecond or two. */
const GROUP = 200;

/** All of a snapshot but what comes after it in parts of their own. */
interface Head {
  readonly facts: Omit<Snapshot, 'taken' | 'names'>;
  /** How many sources and files there are, and blocks of postings. */
  readonly count: Readonly<Record<'sources' | 'taken' | 'words' | 'grams', number>>;
}

/** The bytes of a snapshot, made piece by piece. */
export const encodeSnapshot = (snapshot: Snapshot): Generator<Uint8Array> =>
  sealing(`${snapshot.hash}.${snapshot.code}`, partsOf(snapshot));

function* partsOf(snapshot: Snapshot & Partial<OpenSnapshot>): Generator<Uint8Array> {
  const { data, taken, names, sealed: _, ...facts } = snapshot;
  const { sources, words, grams } = data;
  const without = { ...data, sources: [], words: { ...words, blocks: [] }, grams: { ...grams, blocks: [] } };
  yield serialize({
    facts: { ...facts, data: without },
    count: {
      sources: sources.length,
      taken: taken.length,
      words: words.blocks.length,
      grams: grams.blocks.length,
    },
  } satisfies Head);
  yield serialize(names);
  for (const block of [...words.blocks, ...grams.blocks]) {
    yield bytesOf(block.offsets);
    yield* piecesOf(block);
  }
  for (let from = 0; from < sources.length; from += GROUP)
    yield serialize(withoutTexts(sources.slice(from, from + GROUP)));
  for (const group of storingFiles(taken, sources, GROUP)) yield serialize(group);
  for (const { text } of sources) yield serialize(text);
}

/** A snapshot whose texts and postings are in a file. */
export interface OpenSnapshot extends Snapshot {
  readonly sealed: Sealed;
}

/**
 * Decodes step by step, because a large base takes seconds. The bytes stay in use.
 *
 * @param code that may have made it, where it must be this one
 * @throws {Damaged} for bytes that are not a whole snapshot, or one that other code has made
 */
export const decodeSnapshot = (bytes: StoredBytes, code?: string): Promise<OpenSnapshot> =>
  inShortTurns(decodingSnapshot(bytes, code));

/** Texts and postings, which are nearly all of it, are only read when they are needed. */
async function* decodingSnapshot(bytes: StoredBytes, code?: string): AsyncSteps<OpenSnapshot> {
  const sealed = await Sealed.open(bytes);
  if (code !== undefined && sealed.hash.split('.')[1] !== code) throw new Damaged();
  let part = 0;
  const { facts, count } = deserialize(yield* sealed.part(part++)) as Head;
  const names = deserialize(yield* sealed.part(part++)) as KnownNames;
  // Their arrays are made before most other objects are, because V8 looks at all of these for each large array.
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
  const taken: TakenFile[] = [];
  while (taken.length < count.taken) {
    for (const file of restoreFiles(columnsIn(sealed, part++), sources)) taken.push(file);
    yield STEP;
  }
  const { data } = facts;
  return {
    ...facts,
    data: {
      ...data,
      sources,
      words: { ...data.words, blocks: words },
      grams: { ...data.grams, blocks: grams },
    },
    taken,
    names,
    sealed,
  };
}

/** They have no arrays of bytes, which would stay where they were read. */
const columnsIn = (sealed: Sealed, part: number): Columns => deserialize(sealed.partNow(part)) as Columns;

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
