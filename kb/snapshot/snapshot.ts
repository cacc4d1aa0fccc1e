import { deserialize, serialize } from 'node:v8';

import type { AboutBase } from '../base/about.ts';
import type { Fault } from '../base/faults.ts';
import type { FilesRead } from '../base/load.ts';
import type { DenseData } from '../dense/embed.ts';
import type { IndexData } from '../index/build.ts';
import type { PostingsBlock } from '../index/postings.ts';
import type { NamedParagraphs } from '../index/references.ts';
import { inShortTurns, type AsyncSteps, type Steps } from '../steps.ts';
import type { ReviewBase } from '../review/review-base.ts';
import type { StoredFile } from './taken-files.ts';
import type { Source } from '../source.ts';
import { bytesOf, Damaged, Sealed, sealing, STEP } from './sealed.ts';
import type { StoredBytes } from './stored-bytes.ts';
import { piecesIn, piecesOf, StoredBlock } from './stored-postings.ts';
import { StoredTexts, type SourceWithoutText } from './stored-texts.ts';

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
  readonly facts: Omit<Snapshot, 'taken' | 'paragraphs'>;
  readonly groups: { readonly sources: number; readonly taken: number };
  readonly blocks: { readonly words: number; readonly grams: number };
}

/** The bytes of a snapshot, made piece by piece. */
export const encodeSnapshot = (snapshot: Snapshot): Generator<Uint8Array> =>
  sealing(`${snapshot.hash}.${snapshot.code}`, partsOf(snapshot));

function* partsOf(snapshot: Snapshot & Partial<OpenSnapshot>): Generator<Uint8Array> {
  const { data, taken, paragraphs, sealed: _, ...facts } = snapshot;
  const { sources, words, grams } = data;
  const without = { ...data, sources: [], words: { ...words, blocks: [] }, grams: { ...grams, blocks: [] } };
  yield serialize({
    facts: { ...facts, data: without },
    groups: { sources: groupsIn(sources), taken: groupsIn(taken) },
    blocks: { words: words.blocks.length, grams: grams.blocks.length },
  } satisfies Head);
  yield serialize(paragraphs);
  yield* groupsOf(sources, withoutText);
  yield* groupsOf(taken, (file) => file);
  for (const block of [...words.blocks, ...grams.blocks]) {
    yield bytesOf(block.offsets);
    yield* piecesOf(block);
  }
  for (const { text } of sources) yield serialize(text);
}

function withoutText(source: Source): SourceWithoutText {
  const { text: _, ...rest } = source;
  return rest;
}

function* groupsOf<T>(all: readonly T[], stored: (each: T) => unknown): Generator<Uint8Array> {
  for (let from = 0; from < all.length; from += GROUP)
    yield serialize(all.slice(from, from + GROUP).map(stored));
}

const groupsIn = (all: readonly unknown[]): number => Math.ceil(all.length / GROUP);

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
  if (sealed === undefined || (code !== undefined && sealed.hash.split('.')[1] !== code)) throw new Damaged();
  let part = 0;
  const { facts, groups, blocks } = deserialize(yield* sealed.part(part++)) as Head;
  const paragraphs = deserialize(yield* sealed.part(part++)) as NamedParagraphs;
  const sources = yield* readingGroups<SourceWithoutText>(sealed, part, groups.sources);
  part += groups.sources;
  const taken = yield* readingGroups<StoredFile>(sealed, part, groups.taken);
  part += groups.taken;
  const [words, grams]: [PostingsBlock[], PostingsBlock[]] = [[], []];
  for (const [read, count] of [
    [words, blocks.words],
    [grams, blocks.grams],
  ] as const)
    while (read.length < count) {
      const offsets = numbersOf(yield* sealed.part(part++));
      read.push(new StoredBlock(sealed, part, offsets));
      part += piecesIn(offsets.at(-1)!);
    }
  const texts = new StoredTexts(sealed, part);
  const { data } = facts;
  return {
    ...facts,
    data: {
      ...data,
      sources: sources.map((source, number) => texts.source(source, number)),
      words: { ...data.words, blocks: words },
      grams: { ...data.grams, blocks: grams },
    },
    taken,
    paragraphs,
    sealed,
  };
}

const numbersOf = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): Uint32Array =>
  new Uint32Array(buffer, 0, byteLength / Uint32Array.BYTES_PER_ELEMENT);

/** Sources and files have no arrays of bytes, which would stay where they were read. */
function* readingGroups<T>(sealed: Sealed, first: number, count: number): Steps<T[]> {
  const all: T[] = [];
  for (let group = first; group < first + count; group++) {
    for (const each of deserialize(sealed.partNow(group)) as T[]) all.push(each);
    yield STEP;
  }
  return all;
}

/** The content hash of a whole snapshot; undefined for damaged or other data. */
export async function hashOfSnapshot(bytes: StoredBytes): Promise<string | undefined> {
  const sealed = await Sealed.open(bytes);
  if (sealed === undefined) return undefined;
  try {
    await inShortTurns(sealed.checking());
    return sealed.hash.split('.')[0];
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return undefined;
  }
}
