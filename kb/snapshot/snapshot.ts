import { deserialize, serialize } from 'node:v8';

import type { AboutBase } from '../base/about.ts';
import type { Fault } from '../base/faults.ts';
import type { FilesRead } from '../base/load.ts';
import type { DenseData } from '../dense/embed.ts';
import type { IndexData } from '../index/build.ts';
import type { PostingsBlock, PostingsData } from '../index/postings.ts';
import type { NamedParagraphs } from '../index/references.ts';
import { inShortTurns, type AsyncSteps } from '../steps.ts';
import type { ReviewBase } from '../review/review-base.ts';
import type { Source } from '../source.ts';
import type { StoredFile } from './taken-files.ts';
import type { BytesInOrder } from './bytes-in-order.ts';
import { Damaged, Sealed, sealing, STEP } from './sealed.ts';

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
  readonly taken: readonly StoredFile[];
  /** What the titles and sections of the sources name. */
  readonly paragraphs: NamedParagraphs;
  /** `null` if the search is by words only. */
  readonly dense: DenseData | null;
}

/** The sources or files that are decoded in one step, which takes a millisecond or two. */
const GROUP = 200;

/** All of a snapshot but what comes after it in parts of their own, and how many of those there are. */
interface Head {
  readonly snapshot: Snapshot;
  readonly blocks: { readonly words: number; readonly grams: number };
  readonly groups: { readonly sources: number; readonly taken: number };
}

/** The bytes of a snapshot, made piece by piece. */
export const encodeSnapshot = (snapshot: Snapshot): Generator<Uint8Array> =>
  sealing(`${snapshot.hash}.${snapshot.code}`, partsOf(snapshot));

function* partsOf(snapshot: Snapshot): Generator<Uint8Array> {
  const { data, taken, paragraphs } = snapshot;
  const { sources, words, grams } = data;
  const without = { ...data, sources: [], words: { ...words, blocks: [] }, grams: { ...grams, blocks: [] } };
  yield serialize({
    snapshot: { ...snapshot, taken: [], data: without, paragraphs: NONE },
    blocks: { words: words.blocks.length, grams: grams.blocks.length },
    groups: { sources: groupsIn(sources), taken: groupsIn(taken) },
  } satisfies Head);
  for (const { offsets, passages, impacts } of [...words.blocks, ...grams.blocks]) {
    yield bytesOf(offsets);
    yield bytesOf(passages);
    yield impacts;
  }
  yield serialize(paragraphs);
  for (const all of [sources, taken]) {
    for (let from = 0; from < all.length; from += GROUP) yield serialize(all.slice(from, from + GROUP));
  }
}

const NONE: NamedParagraphs = { works: [], paragraphs: [], named: new Uint32Array() };

const groupsIn = (all: readonly unknown[]): number => Math.ceil(all.length / GROUP);

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * Decodes step by step, because a large base takes seconds.
 *
 * @param code that may have made it, where it must be this one
 * @throws {Damaged} for bytes that are not a whole snapshot, or one that other code has made
 */
export const decodeSnapshot = (bytes: BytesInOrder, code?: string): Promise<Snapshot> =>
  inShortTurns(decodingSnapshot(bytes, code));

async function* decodingSnapshot(bytes: BytesInOrder, code?: string): AsyncSteps<Snapshot> {
  const sealed = await Sealed.open(bytes);
  if (sealed === undefined || (code !== undefined && sealed.hash.split('.')[1] !== code)) throw new Damaged();
  const { snapshot, blocks, groups } = deserialize(yield* nextOf(sealed)) as Head;
  const { words, grams } = snapshot.data;
  const data = {
    ...snapshot.data,
    words: yield* readingBlocks(sealed, words, blocks.words),
    grams: yield* readingBlocks(sealed, grams, blocks.grams),
  };
  // A part of its own, so that it does not stay in memory with the arrays of the head.
  const paragraphs = deserialize(yield* nextOf(sealed)) as NamedParagraphs;
  const sources = yield* readingGroups<Source>(sealed, groups.sources);
  const taken = yield* readingGroups<StoredFile>(sealed, groups.taken);
  if ((yield* sealed.next()) !== undefined) throw new Damaged();
  return { ...snapshot, data: { ...data, sources }, taken, paragraphs };
}

async function* nextOf(sealed: Sealed, read?: 'pass'): AsyncSteps<Uint8Array<ArrayBuffer>> {
  const part = yield* sealed.next(read);
  if (part === undefined) throw new Damaged();
  return part;
}

/** The arrays of each block stay where they were read. */
async function* readingBlocks(sealed: Sealed, data: PostingsData, count: number): AsyncSteps<PostingsData> {
  const blocks: PostingsBlock[] = [];
  while (blocks.length < count) {
    const [offsets, passages] = [yield* nextOf(sealed), yield* nextOf(sealed)];
    blocks.push({
      offsets: new Uint32Array(offsets.buffer, 0, offsets.length / Uint32Array.BYTES_PER_ELEMENT),
      passages: new Uint16Array(passages.buffer, 0, passages.length / Uint16Array.BYTES_PER_ELEMENT),
      impacts: yield* nextOf(sealed),
    });
  }
  return { ...data, blocks };
}

/** Sources and files have no arrays of bytes, which would stay where they were read. */
async function* readingGroups<T>(sealed: Sealed, count: number): AsyncSteps<T[]> {
  const all: T[] = [];
  for (let group = 0; group < count; group++) {
    for (const each of deserialize(yield* nextOf(sealed, 'pass')) as T[]) all.push(each);
    yield STEP;
  }
  return all;
}

/** The content hash of a whole snapshot; undefined for damaged or other data. */
export async function hashOfSnapshot(bytes: BytesInOrder): Promise<string | undefined> {
  const sealed = await Sealed.open(bytes);
  if (sealed === undefined) return undefined;
  try {
    await inShortTurns(reachingEnd(sealed));
    return sealed.hash.split('.')[0];
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return undefined;
  }
}

async function* reachingEnd(sealed: Sealed): AsyncSteps<void> {
  while ((yield* sealed.next('pass')) !== undefined);
}
