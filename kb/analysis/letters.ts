import { endianness } from 'node:os';

/** The code units for which the buffer has room. The buffer is kept between texts; a longer text gets a new one. */
const KEPT = 65_536;
const BYTES = 2;
const IS_SWAPPED = endianness() === 'BE';

/**
 * The code units of a text in a typed array. Reading the array takes a third of the time of `charCodeAt`, because a
 * text is often a slice of another text, and each access would go through both. One object serves many texts.
 */
export class Letters {
  codes = new Uint16Array(KEPT);
  #bytes = Buffer.from(this.codes.buffer);
  text = '';

  get length(): number {
    return this.text.length;
  }

  read(text: string): void {
    const room = Math.max(KEPT, text.length);
    if (this.codes.length !== room) {
      this.codes = new Uint16Array(room);
      this.#bytes = Buffer.from(this.codes.buffer);
    }
    this.#bytes.write(text, 'utf16le');
    if (IS_SWAPPED) this.#bytes.subarray(0, BYTES * text.length).swap16();
    this.text = text;
  }

  /**
   * The letters from `start` to `end` as a separate string. A slice would keep the whole text in memory, and would take
   * two bytes for each letter if any letter of the text needs two.
   */
  copy(start: number, end: number): string {
    return Buffer.from(this.text.slice(start, end), 'utf16le').toString('utf16le');
  }
}

/** The hash of FNV-1a (Fowler, Noll and Vo), over code units. */
export const FIRST_HASH = 0x81_1c_9d_c5 | 0;
export const hashed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01_00_01_93);
/**
 * The last step of the hash: 30 bits, so that the number stays a small integer. The lower bits, which hash tables use,
 * then depend on the higher bits too.
 */
export const closed = (hash: number): number => (hash ^ (hash >>> 15)) & 0x3f_ff_ff_ff;

/** The hash that a `TokenScanner` gives to the token from `start` to `end`. */
export function hashOf({ codes }: Letters, start: number, end: number): number {
  let hash = FIRST_HASH;
  for (let at = start; at < end; at++) hash = hashed(hash, codes[at]!);
  return closed(hash);
}
