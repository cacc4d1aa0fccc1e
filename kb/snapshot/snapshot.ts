import { deserialize, serialize } from 'node:v8';

import type { AboutBase } from '../base/about.ts';
import type { Fault } from '../base/faults.ts';
import type { FilesRead } from '../base/load.ts';
import type { DenseData } from '../dense/embed.ts';
import type { IndexData } from '../index/build.ts';
import { atOnce, type Steps } from '../steps.ts';
import type { ReviewBase } from '../review/review-base.ts';
import type { Source } from '../source.ts';
import type { StoredFile } from './taken-files.ts';
import { hashInSeal, seal, STEP, unseal, unsealing } from './sealed.ts';

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
  /** `null` if the search is by words only. */
  readonly dense: DenseData | null;
}

/** The sources or files that are decoded in one step, which takes a millisecond or two. */
const GROUP = 200;

/** The number of groups of sources, then everything else, then the groups; each part comes after its length. */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  const groups = groupsOf(snapshot.data.sources);
  const parts = [
    groups.length,
    { ...snapshot, taken: [], data: { ...snapshot.data, sources: [] } },
    ...groups,
    ...groupsOf(snapshot.taken),
  ].map((part) => serialize(part));
  const body = Buffer.concat(parts.flatMap((part) => [lengthOf(part), part]));
  return seal(`${snapshot.hash}.${snapshot.code}`, body);
}

/** @throws {Error} for bytes that are not a whole snapshot */
export const decodeSnapshot = (bytes: Uint8Array): Snapshot => atOnce(decodingSnapshot(bytes));

/** The same step by step, because a large base takes a second. */
export function* decodingSnapshot(bytes: Uint8Array): Steps<Snapshot> {
  const opened = yield* unsealing(bytes);
  if (opened === undefined) throw new Error('not a usable snapshot');
  const { body } = opened;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  const next = (): unknown => {
    const from = at + LENGTH_BYTES;
    at = from + view.getUint32(at);
    return deserialize(body.subarray(from, at));
  };
  const groups = next() as number;
  const snapshot = next() as Snapshot;
  const sources: Source[] = [];
  for (let group = 0; group < groups; group++) {
    sources.push(...(next() as Source[]));
    yield STEP;
  }
  const taken: StoredFile[] = [];
  while (at < body.length) {
    taken.push(...(next() as StoredFile[]));
    yield STEP;
  }
  return { ...snapshot, taken, data: { ...snapshot.data, sources } };
}

const groupsOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / GROUP) }, (_, group) =>
    all.slice(group * GROUP, (group + 1) * GROUP),
  );

/** The content hash of a snapshot, without decoding it; undefined for damaged or other data. */
export const hashOfSnapshot = (bytes: Uint8Array): string | undefined => unseal(bytes)?.hash.split('.')[0];

/** The hash of the code that made a snapshot; undefined for other data. It is not checked for damage. */
export const codeOfSnapshot = (bytes: Uint8Array): string | undefined => hashInSeal(bytes)?.split('.')[1];

const LENGTH_BYTES = 4;

function lengthOf(part: Uint8Array): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(part.length);
  return length;
}
