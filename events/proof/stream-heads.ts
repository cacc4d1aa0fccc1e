import { GENESIS_HASH } from '../store/chain.ts';
import { HASH_BYTES } from './merkle.ts';

const NONE = -1;

/**
 * Where each of very many streams stands, and where a checkpoint says that it stood: about a hundred bytes a stream,
 * so that a verifier's memory stays small.
 */
export class StreamHeads {
  readonly #numbers = new Map<string, number>();
  #capacity = 1024;
  #revisions = new Int32Array(this.#capacity).fill(NONE);
  #hashes = Buffer.alloc(this.#capacity * HASH_BYTES);
  #expectedRevisions = new Int32Array(this.#capacity).fill(NONE);
  #expectedHashes = Buffer.alloc(this.#capacity * HASH_BYTES);
  /** Size of the checkpoint that says so. */
  #expectedAt = new Float64Array(this.#capacity);
  #seen = 0;

  /** Whether no stream is known at all. */
  get isEmpty(): boolean {
    return this.#numbers.size === 0;
  }

  /** Streams of which an event was noted. */
  get seen(): number {
    return this.#seen;
  }

  /** A number that stands for the stream in all that follows. */
  numberOf(stream: string): number {
    const known = this.#numbers.get(stream);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number === this.#capacity) this.#grow();
    this.#numbers.set(stream, number);
    return number;
  }

  /** -1 before the first event. */
  revision(number: number): number {
    return this.#revisions[number]!;
  }

  hash(number: number): string {
    if (this.#revisions[number] === NONE) return GENESIS_HASH;
    return this.#hashes.toString('hex', number * HASH_BYTES, (number + 1) * HASH_BYTES);
  }

  note(number: number, revision: number, hash: string): void {
    if (this.#revisions[number] === NONE) this.#seen += 1;
    this.#revisions[number] = revision;
    put(this.#hashes, number, hash);
  }

  /** The newest checkpoint's word counts. */
  expect(number: number, revision: number, hash: string, size: number): void {
    if (size < this.#expectedAt[number]!) return;
    this.#expectedRevisions[number] = revision;
    this.#expectedAt[number] = size;
    put(this.#expectedHashes, number, hash);
  }

  /** -1 where nothing is expected. */
  expectedRevision(number: number): number {
    return this.#expectedRevisions[number]!;
  }

  expectedAt(number: number): number {
    return this.#expectedAt[number]!;
  }

  isAsExpected(number: number, hash: string): boolean {
    const from = number * HASH_BYTES;
    return this.#expectedHashes.toString('hex', from, from + HASH_BYTES) === hash;
  }

  /** What was expected came: it is asked for no more. */
  meet(number: number): void {
    this.#expectedRevisions[number] = NONE;
  }

  /** Streams whose expected event never came. */
  *unmet(): Generator<[stream: string, number: number]> {
    for (const [stream, number] of this.#numbers) {
      if (this.#expectedRevisions[number] !== NONE) yield [stream, number];
    }
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    const numbers = (from: Int32Array): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(capacity).fill(NONE);
      to.set(from);
      return to;
    };
    const bytes = (from: Buffer): Buffer<ArrayBuffer> => {
      const to = Buffer.alloc(capacity * HASH_BYTES);
      to.set(from);
      return to;
    };
    const expectedAt = new Float64Array(capacity);
    expectedAt.set(this.#expectedAt);
    this.#revisions = numbers(this.#revisions);
    this.#expectedRevisions = numbers(this.#expectedRevisions);
    this.#hashes = bytes(this.#hashes);
    this.#expectedHashes = bytes(this.#expectedHashes);
    this.#expectedAt = expectedAt;
    this.#capacity = capacity;
  }
}

/** What is no hash, in a record that was tampered with, is kept as zeros: nothing fits after it. */
function put(hashes: Buffer, number: number, hash: string): void {
  const from = number * HASH_BYTES;
  const written = hashes.write(hash, from, HASH_BYTES, 'hex');
  hashes.fill(0, from + written, from + HASH_BYTES);
}
