import { createHash } from 'node:crypto';

import { atOnce, type Steps } from '../steps.ts';

/** The first line: the version of the serializer, the content hash, and a SHA-256 of that and of the rest. */
const HEADER = /^BELEGKB (?<v8>\S+) (?<hash>\S+) (?<sum>[0-9a-f]{64})\n/u;
const MAX_HEADER_BYTES = 512;
/** The bytes that are hashed in one step, which takes a millisecond or two. */
const BYTES_A_STEP = 2 * 1024 * 1024;
/** The cost of a step, measured in the words that other steps compare. */
export const STEP = 30_000;

/** Serialized data of V8 after a line that identifies it and proves that it is complete. */
export function seal(hash: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = `BELEGKB ${process.versions.v8} ${hash} ${atOnce(summing(hash, body))}\n`;
  return new Uint8Array(Buffer.concat([Buffer.from(header), body]));
}

interface Unsealed {
  readonly hash: string;
  readonly body: Uint8Array;
}

/** The content hash of data that this version of V8 has sealed; undefined for other data. */
export const hashInSeal = (bytes: Uint8Array): string | undefined => {
  const { v8, hash } = headerOf(bytes)?.groups ?? {};
  return v8 === process.versions.v8 ? hash : undefined;
};

const headerOf = (bytes: Uint8Array): RegExpExecArray | null =>
  HEADER.exec(Buffer.from(bytes.subarray(0, MAX_HEADER_BYTES)).toString('latin1'));

/** Undefined for data that is damaged, or that another version of V8 wrote. */
export function* unsealing(bytes: Uint8Array): Steps<Unsealed | undefined> {
  const header = headerOf(bytes);
  const { v8, hash = '', sum } = header?.groups ?? {};
  const body = bytes.subarray(header?.[0].length);
  if (v8 !== process.versions.v8) return undefined;
  return sum === (yield* summing(hash, body)) ? { hash, body } : undefined;
}

export const unseal = (bytes: Uint8Array): Unsealed | undefined => atOnce(unsealing(bytes));

function* summing(hash: string, body: Uint8Array): Steps<string> {
  const sum = createHash('sha256').update(hash);
  for (let from = 0; from < body.length; from += BYTES_A_STEP) {
    sum.update(body.subarray(from, from + BYTES_A_STEP));
    yield STEP;
  }
  return sum.digest('hex');
}
