import { crc32 } from 'node:zlib';

import type { AsyncSteps } from '../steps.ts';
import type { StoredBytes } from './stored-bytes.ts';

/**
 * The first line: the version of V8's serializer and the hash of the content. The parts follow, and a table of the
 * parts.
 */
const HEADER = /^BELEGKB (?<v8>\S+) (?<hash>\S+) *\n$/u;
const HEADER_BYTES = 256;
/** The fields of a part in the table: its length and the checksum of its bytes. */
const FIELDS = 2;
const ENTRY_BYTES = FIELDS * Uint32Array.BYTES_PER_ELEMENT;
/** The end of the file: the number of parts, and the checksum of header and table. */
const END_BYTES = 2 * Uint32Array.BYTES_PER_ELEMENT;
/** The number of bytes that are summed in one step, which takes a millisecond or two. */
const BYTES_A_STEP = 4 * 1024 * 1024;
const NO_ROOM = new Uint8Array(0);
/** The cost of a step, measured in compared words. */
export const STEP = 30_000;

/**
 * The bytes of a file that can be checked for damage. Its parts are read one by one, in any order, and each part is
 * compared with its checksum. The file is made part by part, so that a file of many gigabytes is never in memory as a
 * whole.
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

/** Joins small pieces, of which there may be a million, into fewer large ones. */
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

/** A file is damaged, or the system cannot read it. */
export class Damaged extends Error {
  override readonly name = 'Damaged';

  /** @param cause the system's error, such as for a broken disk, or for a network drive that is no longer connected */
  constructor(cause?: NodeJS.ErrnoException) {
    super(
      cause === undefined
        ? 'the snapshot of the index is not what was written'
        : `the snapshot of the index cannot be read (${cause.code ?? cause.message})`,
      { cause },
    );
  }
}

/** A file that `sealing` has written. */
export class Sealed {
  readonly #bytes: StoredBytes;
  readonly #table: Uint32Array;
  /** The start of each part, and the end of the last part. */
  readonly #places: Float64Array;
  #now = NO_ROOM;
  #isDamaged = false;
  readonly hash: string;

  private constructor(bytes: StoredBytes, table: Uint32Array, places: Float64Array, hash: string) {
    this.#bytes = bytes;
    this.#table = table;
    this.#places = places;
    this.hash = hash;
  }

  /** @throws {Damaged} if the data is of another kind, of another version of V8, or incomplete */
  static async open(bytes: StoredBytes): Promise<Sealed> {
    const header = new Uint8Array(HEADER_BYTES);
    const end = new Uint32Array(END_BYTES / Uint32Array.BYTES_PER_ELEMENT);
    const read = (into: Uint8Array, place: number): Promise<number> =>
      bytes.read(into, place).catch(throwDamaged);
    await read(header, 0);
    await read(bytesOf(end), Math.max(0, bytes.size - END_BYTES));
    const { v8, hash } = HEADER.exec(Buffer.from(header).toString('latin1'))?.groups ?? {};
    const [count, sum] = end as unknown as [number, number];
    const tableFrom = bytes.size - END_BYTES - count * ENTRY_BYTES;
    if (v8 !== process.versions.v8 || hash === undefined || tableFrom < HEADER_BYTES) throw new Damaged();
    const table = new Uint32Array(count * FIELDS);
    await read(bytesOf(table), tableFrom);
    const places = placesOf(table);
    if (crc32(bytesOf(table), crc32(header)) !== sum || places[count] !== tableFrom) throw new Damaged();
    return new Sealed(bytes, table, places, hash);
  }

  /** How many parts there are. */
  get count(): number {
    return this.#places.length - 1;
  }

  /**
   * Reads a part into a separate aligned array.
   *
   * @throws {Damaged} if the part is damaged
   */
  async *part(number: number): AsyncSteps<Uint8Array<ArrayBuffer>> {
    const [part] = yield* this.parts(number, number + 1);
    return part!;
  }

  /**
   * Reads consecutive parts at once (`to` is exclusive).
   *
   * @param room the array to read into if it is large enough; otherwise a new array is used
   * @throws {Damaged} if a part is damaged
   */
  async *parts(from: number, to: number, room = NO_ROOM): AsyncSteps<Uint8Array<ArrayBuffer>[]> {
    try {
      const begin = this.#placeOf(from);
      const length = this.#placeOf(to) - begin;
      const all = room.length < length ? new Uint8Array(length) : room.subarray(0, length);
      await this.#bytes.read(all, begin);
      const parts: Uint8Array<ArrayBuffer>[] = [];
      for (let number = from; number < to; number++) {
        const part = all.subarray(this.#placeOf(number) - begin, this.#placeOf(number + 1) - begin);
        yield* this.#checking(number, part);
        parts.push(part);
      }
      return parts;
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Reads a small part synchronously, into an array that the next call reuses. */
  partNow(number: number): Uint8Array {
    try {
      const place = this.#placeOf(number);
      const length = this.#placeOf(number + 1) - place;
      if (this.#now.length < length) this.#now = new Uint8Array(2 * length);
      const part = this.#now.subarray(0, length);
      this.#bytes.readNow(part, place);
      this.#compare(number, crc32(part));
      return part;
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Whether a read of a part has failed. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /**
   * Reads and checks all parts, small ones together.
   *
   * @throws {Damaged} if a part is damaged
   */
  async *checking(): AsyncSteps<void> {
    const room = new Uint8Array(BYTES_A_STEP);
    for (let from = 0, to = 0; from < this.count; from = to) {
      const begin = this.#placeOf(from);
      for (to = from + 1; to < this.count && this.#placeOf(to + 1) - begin <= BYTES_A_STEP; to++);
      yield* this.parts(from, to, room);
      yield STEP;
    }
  }

  *#checking(number: number, part: Uint8Array): Generator<number, void> {
    let sum = 0;
    for (let from = 0; from < part.length; from += BYTES_A_STEP) {
      const some = part.subarray(from, from + BYTES_A_STEP);
      sum = crc32(some, sum);
      if (some.length === BYTES_A_STEP) yield STEP;
    }
    this.#compare(number, sum);
  }

  #compare(number: number, sum: number): void {
    if (sum !== this.#table[FIELDS * number + 1]) throw new Damaged();
  }

  /** The start of a part, or the end of the last part. */
  #placeOf(number: number): number {
    const place = this.#places[number];
    if (place === undefined) throw new Damaged();
    return place;
  }

  #fail(error: unknown): never {
    this.#isDamaged = true;
    return throwDamaged(error);
  }
}

/** @throws {Damaged} for this error itself, or for an error of the system */
function throwDamaged(error: unknown): never {
  throw error instanceof Damaged ? error : new Damaged(error as NodeJS.ErrnoException);
}

function placesOf(table: Uint32Array): Float64Array {
  const places = new Float64Array(table.length / FIELDS + 1).fill(HEADER_BYTES);
  for (let number = 0; number < places.length - 1; number++)
    places[number + 1] = places[number]! + table[FIELDS * number]!;
  return places;
}
