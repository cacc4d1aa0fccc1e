import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';

import type { AboutBase } from '../base/about.ts';
import type { Fault } from '../base/faults.ts';
import type { FilesRead } from '../base/load.ts';
import type { DenseData } from '../dense/embed.ts';
import type { IndexData } from '../index/build.ts';
import type { ReviewBase } from '../review/review-base.ts';

/** An index as it lies on the disk. */
export interface Snapshot {
  /** Content hash over the files, the model and the code that reads them. */
  readonly hash: string;
  /** ISO 8601. */
  readonly builtAt: string;
  readonly data: IndexData;
  /** What the loader warned of when it was built. */
  readonly warnings: readonly Fault[];
  /** What the base says of itself. */
  readonly about: AboutBase | null;
  readonly review: ReviewBase;
  readonly files: FilesRead;
  /** `null` where words alone are searched. */
  readonly dense: DenseData | null;
}

/** The first line: whose serializer wrote what follows, the content hash, and a SHA-256 of that and of all that follows. */
const HEADER = /^BELEGKB (?<v8>\S+) (?<hash>\S+) (?<sum>[0-9a-f]{64})\n/u;
const MAX_HEADER_BYTES = 256;

export function encodeSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  const body = serialize(snapshot);
  const header = `BELEGKB ${process.versions.v8} ${snapshot.hash} ${sumOf(snapshot.hash, body)}\n`;
  return new Uint8Array(Buffer.concat([Buffer.from(header), body]));
}

/** @throws {Error} for bytes that are not a whole snapshot */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const opened = open(bytes);
  if (opened === undefined) throw new Error('not a usable snapshot');
  return deserialize(opened.body) as Snapshot;
}

/** The content hash of a snapshot, without decoding it; undefined for bytes that are none, or not whole. */
export function hashOfSnapshot(bytes: Uint8Array): string | undefined {
  return open(bytes)?.hash;
}

function open(bytes: Uint8Array): { hash: string; body: Uint8Array } | undefined {
  const header = HEADER.exec(Buffer.from(bytes.subarray(0, MAX_HEADER_BYTES)).toString('latin1'));
  const { v8, hash = '', sum } = header?.groups ?? {};
  const body = bytes.subarray(header?.[0].length);
  return v8 === process.versions.v8 && sum === sumOf(hash, body) ? { hash, body } : undefined;
}

function sumOf(hash: string, body: Uint8Array): string {
  return createHash('sha256').update(hash).update(body).digest('hex');
}
