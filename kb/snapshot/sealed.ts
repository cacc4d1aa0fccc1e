import { createHash } from 'node:crypto';

import type { AsyncSteps } from '../steps.ts';
import type { BytesInOrder } from './bytes-in-order.ts';

/** The first line: the version of the serializer and the content hash. Parts follow, the last of which is empty. */
const HEADER = /^BELEGKB (?<v8>\S+) (?<hash>\S+) *\n$/u;
const HEADER_BYTES = 256;
/** A part comes after its length and a SHA-256 over the sum before it, its length and its bytes. The first one is over the header. */
const LENGTH_BYTES = 6;
const SUM_BYTES = 32;
const HEAD_BYTES = LENGTH_BYTES + SUM_BYTES;
/** The bytes that are hashed in one step, which takes a millisecond or two. */
const BYTES_A_STEP = 2 * 1024 * 1024;
/** The cost of a step, measured in the words that other steps compare. */
export const STEP = 30_000;

/**
 * The bytes of a file that tells whether it is what was written, and whole. A file of many gigabytes is made and read part by part,
 * so that no more than one of them is in memory twice.
 *
 * @param hash identifies the content; without white space, up to 200 letters
 */
export function* sealing(hash: string, parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  const header = Buffer.from(`${`BELEGKB ${process.versions.v8} ${hash}`.padEnd(HEADER_BYTES - 1)}\n`);
  yield header;
  let before: Uint8Array = header;
  for (const part of withLast(parts)) {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUIntBE(part.length, 0, LENGTH_BYTES);
    before = createHash('sha256').update(before).update(length).update(part).digest();
    yield length;
    yield before;
    yield part;
  }
}

/** A file is not what was written. */
export class Damaged extends Error {
  override readonly name = 'Damaged';

  constructor() {
    super('not a usable snapshot');
  }
}

function* withLast(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield* parts;
  yield new Uint8Array();
}

/** What `sealing` has written, for one reader. */
export class Sealed {
  readonly #bytes: BytesInOrder;
  /** What comes next: the head of a part, which is read together with the part before it. */
  #head: Uint8Array;
  #before: Uint8Array;
  readonly hash: string;

  private constructor(bytes: BytesInOrder, header: Uint8Array, head: Uint8Array, hash: string) {
    this.#bytes = bytes;
    this.#before = header;
    this.#head = head;
    this.hash = hash;
  }

  /** Undefined for data of another kind, or from another version of V8. */
  static async open(bytes: BytesInOrder): Promise<Sealed | undefined> {
    const read = await bytes.read(HEADER_BYTES + HEAD_BYTES);
    const header = read.subarray(0, HEADER_BYTES);
    const { v8, hash } = HEADER.exec(Buffer.from(header).toString('latin1'))?.groups ?? {};
    if (v8 !== process.versions.v8 || hash === undefined) return undefined;
    return new Sealed(bytes, header, read.subarray(HEADER_BYTES), hash);
  }

  /**
   * The next part; undefined after the last one.
   *
   * @param read how its bytes are read
   * @throws {Damaged} where a part is not what was written or is missing, or where something follows the last one
   */
  async *next(read: 'read' | 'pass' = 'read'): AsyncSteps<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#head.length < HEAD_BYTES) throw new Damaged();
    const length = Buffer.from(this.#head).readUIntBE(0, LENGTH_BYTES);
    const bytes = await this.#bytes[read](length + HEAD_BYTES);
    const part = bytes.subarray(0, length);
    const sum = createHash('sha256').update(this.#before).update(this.#head.subarray(0, LENGTH_BYTES));
    for (let from = 0; from < length; from += BYTES_A_STEP) {
      const some = part.subarray(from, from + BYTES_A_STEP);
      sum.update(some);
      yield STEP * (some.length / BYTES_A_STEP);
    }
    this.#before = sum.digest();
    if (!this.#head.subarray(LENGTH_BYTES).every((byte, i) => byte === this.#before[i])) throw new Damaged();
    // Copied, because what is left of the part keeps all that was read with it in memory.
    this.#head = bytes.slice(length);
    if (length > 0) return part;
    if (this.#head.length > 0) throw new Damaged();
    return undefined;
  }
}
