import type { PostingsBlock } from '../index/postings.ts';
import type { AsyncSteps } from '../steps.ts';
import { bytesOf, STEP, type Sealed } from './sealed.ts';

/**
 * The number of postings in a part: small enough that a question reads little more than it needs, and large enough that
 * many parts are read quickly.
 */
const PIECE = 8_192;
/** The number of pieces that are read at once if no search waits for them: three quarters of a MiB. */
const PIECES_AT_ONCE = 32;
/** The bytes of the passage number of a posting. The impacts of a piece follow its passage numbers. */
const PASSAGE_BYTES = Uint16Array.BYTES_PER_ELEMENT;

export const piecesIn = (postings: number): number => Math.ceil(postings / PIECE);

/** The postings of a block, piece by piece. */
export function* piecesOf(block: PostingsBlock): Generator<Uint8Array> {
  const { passages, impacts } = block;
  for (let from = 0; from < impacts.length; from += PIECE) {
    const to = Math.min(from + PIECE, impacts.length);
    block.load?.(from, to);
    yield Buffer.concat([bytesOf(passages.subarray(from, to)), impacts.subarray(from, to)]);
  }
}

/**
 * A block of postings that are read from a file when a search first needs them. Until then its arrays take no memory.
 */
export class StoredBlock implements PostingsBlock {
  readonly offsets: Uint32Array;
  readonly passages: Uint16Array;
  readonly impacts: Uint8Array;
  readonly #isRead: Uint8Array;
  readonly #sealed: Sealed;
  readonly #first: number;

  /** @param first the part with the first piece; the other pieces follow */
  constructor(sealed: Sealed, first: number, offsets: Uint32Array) {
    const count = offsets.at(-1)!;
    this.offsets = offsets;
    this.passages = new Uint16Array(count);
    this.impacts = new Uint8Array(count);
    this.#isRead = new Uint8Array(piecesIn(count));
    this.#sealed = sealed;
    this.#first = first;
  }

  /** @throws {Damaged} if the postings are damaged */
  load(from: number, to: number): void {
    for (let piece = Math.floor(from / PIECE); piece * PIECE < to; piece++)
      if (this.#isRead[piece] === 0) this.#put(piece, this.#sealed.partNow(this.#first + piece));
  }

  /**
   * Reads all postings in larger pieces; the event loop stays free in between.
   *
   * @throws {Damaged} if the postings are damaged
   */
  async *loading(): AsyncSteps<void> {
    const room = new Uint8Array(PIECES_AT_ONCE * PIECE * (PASSAGE_BYTES + 1));
    for (let piece = 0; piece < this.#isRead.length; piece += PIECES_AT_ONCE) {
      const from = this.#first + piece;
      const to = this.#first + Math.min(piece + PIECES_AT_ONCE, this.#isRead.length);
      for (const [i, bytes] of (yield* this.#sealed.parts(from, to, room)).entries())
        this.#put(piece + i, bytes);
      yield STEP;
    }
  }

  #put(piece: number, bytes: Uint8Array): void {
    const impactsFrom = (bytes.length / (PASSAGE_BYTES + 1)) * PASSAGE_BYTES;
    bytesOf(this.passages).set(bytes.subarray(0, impactsFrom), piece * PIECE * PASSAGE_BYTES);
    this.impacts.set(bytes.subarray(impactsFrom), piece * PIECE);
    this.#isRead[piece] = 1;
  }
}
