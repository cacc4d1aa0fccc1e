import type { PostingsBlock } from '../index/postings.ts';
import { bytesOf, type Sealed } from './sealed.ts';

/** The postings of one part: so few that a question reads little else than what it needs, and that many parts are read in no time. */
const PIECE = 8_192;
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
      if (this.#isRead[piece] === 0) this.#read(piece);
  }

  #read(piece: number): void {
    const bytes = this.#sealed.partNow(this.#first + piece);
    const impactsFrom = (bytes.length / (PASSAGE_BYTES + 1)) * PASSAGE_BYTES;
    bytesOf(this.passages).set(bytes.subarray(0, impactsFrom), piece * PIECE * PASSAGE_BYTES);
    this.impacts.set(bytes.subarray(impactsFrom), piece * PIECE);
    this.#isRead[piece] = 1;
  }
}
