import type { PostingsBlock } from '../index/postings.ts';
import type { AsyncSteps } from '../steps.ts';
import { bytesOf, STEP, type Sealed } from './sealed.ts';

/** The postings of one part: so few that a question reads little else than what it needs, and that many parts are read in no time. */
const PIECE = 8_192;
/** The pieces that are read at once where nobody waits for one of them: three quarters of a MiB. */
const PIECES_AT_ONCE = 32;
/** The bytes of a posting's passage, which are followed by those of the impacts of a piece. */
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

/** A block of postings that are read from a file when a search needs them first. Until then its arrays take no memory. */
export class StoredBlock implements PostingsBlock {
  readonly offsets: Uint32Array;
  readonly passages: Uint16Array;
  readonly impacts: Uint8Array;
  readonly #isRead: Uint8Array;
  readonly #sealed: Sealed;
  readonly #first: number;

  /** @param first the part with the first piece; the others follow */
  constructor(sealed: Sealed, first: number, offsets: Uint32Array) {
    const count = offsets.at(-1)!;
    this.offsets = offsets;
    this.passages = new Uint16Array(count);
    this.impacts = new Uint8Array(count);
    this.#isRead = new Uint8Array(piecesIn(count));
    this.#sealed = sealed;
    this.#first = first;
  }

  /** @throws {Damaged} where they are not what was written */
  load(from: number, to: number): void {
    for (let piece = Math.floor(from / PIECE); piece * PIECE < to; piece++)
      if (this.#isRead[piece] === 0) this.#put(piece, this.#sealed.partNow(this.#first + piece));
  }

  /**
   * Reads all of them in larger pieces, while others have the event loop.
   *
   * @throws {Damaged} where they are not what was written
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
