import { crc32 } from 'node:zlib';

import type { AsyncSteps } from '../steps.ts';
import type { StoredBytes } from './stored-bytes.ts';

/** The first line: the version of the serializer and the content hash. Parts follow, and a table of them. */
const HEADER = /^BELEGKB (?<v8>\S+) (?<hash>\S+) *\n$/u;
const HEADER_BYTES = 256;
/** Of each part the table has its length and the sum of its bytes. */
const FIELDS = 2;
const ENTRY_BYTES = FIELDS * Uint32Array.BYTES_PER_ELEMENT;
/** At the end: how many parts there are, and the sum of header and table. */
const END_BYTES = 2 * Uint32Array.BYTES_PER_ELEMENT;
/** The bytes that are summed in one step, which takes a millisecond or two. */
const BYTES_A_STEP = 4 * 1024 * 1024;
/** The cost of a step, measured in the words that other steps compare. */
export const STEP = 30_000;

/**
 * The bytes of a file that tells whether it is what was written, and whole. Its parts are read one by one, in any order, and each is
 * compared with its sum when it is read. A file of many gigabytes is made part by part, so that it is never in memory as a whole.
 *
 * @param hash identifies the content; without white space, up to 200 letters
 */
export const sealing = (hash: string, parts: Iterable<Uint8Array>): Generator<Uint8Array> =>
  together(pieces(hash, parts));

function* pieces(hash: string, parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  const header = Buffer.from(`${`BELEGKB ${process.versions.v8} ${hash}`.padEnd(HEADER_BYTES - 1)}\n`);
  yield header;
  const entries: number[] = [];
  for (const part of parts) {
    entries.push(part.length, crc32(part));
    yield part;
  }
  const table = bytesOf(Uint32Array.from(entries));
  yield table;
  yield bytesOf(Uint32Array.of(entries.length / FIELDS, crc32(table, crc32(header))));
}

/** Small pieces, of which there may be a million, as fewer larger ones. */
function* together(all: Iterable<Uint8Array>): Generator<Uint8Array> {
  let some: Uint8Array[] = [];
  let size = 0;
  for (const piece of all) {
    some.push(piece);
    size += piece.length;
    if (size < BYTES_A_STEP) continue;
    yield some.length === 1 ? piece : Buffer.concat(some);
    some = [];
    size = 0;
  }
  yield Buffer.concat(some);
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A file is not what was written. */
export class Damaged extends Error {
  override readonly name = 'Damaged';

  constructor() {
    super('the snapshot of the index is not what was written');
  }
}

/** What `sealing` has written. */
export class Sealed {
  readonly #bytes: StoredBytes;
  readonly #table: Uint32Array;
  /** Where each part begins, and where the last one ends. */
  readonly #places: Float64Array;
  #now = new Uint8Array(0);
  #isDamaged = false;
  readonly hash: string;

  private constructor(bytes: StoredBytes, table: Uint32Array, places: Float64Array, hash: string) {
    this.#bytes = bytes;
    this.#table = table;
    this.#places = places;
    this.hash = hash;
  }

  /** Undefined for data of another kind, of another version of V8, or that is not whole. */
  static async open(bytes: StoredBytes): Promise<Sealed | undefined> {
    const header = new Uint8Array(HEADER_BYTES);
    const end = new Uint32Array(END_BYTES / Uint32Array.BYTES_PER_ELEMENT);
    await bytes.read(header, 0);
    await bytes.read(bytesOf(end), Math.max(0, bytes.size - END_BYTES));
    const { v8, hash } = HEADER.exec(Buffer.from(header).toString('latin1'))?.groups ?? {};
    const [count, sum] = end as unknown as [number, number];
    const tableFrom = bytes.size - END_BYTES - count * ENTRY_BYTES;
    if (v8 !== process.versions.v8 || hash === undefined || tableFrom < HEADER_BYTES) return undefined;
    const table = new Uint32Array(count * FIELDS);
    await bytes.read(bytesOf(table), tableFrom);
    const places = placesOf(table);
    if (crc32(bytesOf(table), crc32(header)) !== sum || places[count] !== tableFrom) return undefined;
    return new Sealed(bytes, table, places, hash);
  }

  /** How many parts there are. */
  get count(): number {
    return this.#places.length - 1;
  }

  /**
   * A part, in an aligned array of its own.
   *
   * @throws {Damaged} where it is not what was written
   */
  async *part(number: number): AsyncSteps<Uint8Array<ArrayBuffer>> {
    const part = new Uint8Array(this.#lengthOf(number));
    await this.#bytes.read(part, this.#places[number]!);
    yield* this.#check(number, part);
    return part;
  }

  /** A small part at once, in an array that the next one is read into. */
  partNow(number: number): Uint8Array {
    const length = this.#lengthOf(number);
    if (this.#now.length < length) this.#now = new Uint8Array(2 * length);
    const part = this.#now.subarray(0, length);
    try {
      this.#bytes.readNow(part, this.#places[number]!);
      if (crc32(part) !== this.#sumOf(number)) throw new Damaged();
    } catch (error) {
      this.#isDamaged = true;
      throw error;
    }
    return part;
  }

  /** Whether a part could not be read that was asked for. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /**
   * Reads all parts, small ones together.
   *
   * @throws {Damaged} where one is not what was written
   */
  async *checking(): AsyncSteps<void> {
    let all = new Uint8Array(BYTES_A_STEP);
    for (let from = 0, to = 0; from < this.count; from = to) {
      const begin = this.#places[from]!;
      for (to = from + 1; to < this.count && this.#places[to + 1]! - begin <= BYTES_A_STEP; to++);
      const length = this.#places[to]! - begin;
      if (all.length < length) all = new Uint8Array(length);
      const some = all.subarray(0, length);
      await this.#bytes.read(some, begin);
      for (let number = from; number < to; number++)
        yield* this.#check(
          number,
          some.subarray(this.#places[number]! - begin, this.#places[number + 1]! - begin),
        );
      yield STEP;
    }
  }

  *#check(number: number, part: Uint8Array): Generator<number, void> {
    let sum = 0;
    for (let from = 0; from < part.length; from += BYTES_A_STEP) {
      const some = part.subarray(from, from + BYTES_A_STEP);
      sum = crc32(some, sum);
      if (some.length === BYTES_A_STEP) yield STEP;
    }
    if (sum !== this.#sumOf(number)) throw new Damaged();
  }

  #lengthOf(number: number): number {
    if (number >= this.count) throw new Damaged();
    return this.#table[FIELDS * number]!;
  }

  #sumOf(number: number): number {
    return this.#table[FIELDS * number + 1]!;
  }
}

function placesOf(table: Uint32Array): Float64Array {
  const places = new Float64Array(table.length / FIELDS + 1).fill(HEADER_BYTES);
  for (let number = 0; number < places.length - 1; number++)
    places[number + 1] = places[number]! + table[FIELDS * number]!;
  return places;
}
