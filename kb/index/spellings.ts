import { GrowingLetters, GrowingNumbers } from './growing.ts';

/** A power of two, of which at most half is used. */
const FIRST_SLOTS = 4096;

/**
 * Numbers the distinct spellings of tokens. A token is compared where it stands in its text, because cutting it out and
 * looking it up in a `Map` takes several times as long, and that is most of the time of reading a large base.
 */
export class Spellings {
  /** A hash table with open addressing: the number of a spelling plus one, 0 where there is none. */
  #slots = new Uint32Array(FIRST_SLOTS);
  readonly #tokens: string[] = [];
  /** The letters of all tokens, where each ends, and its hash. */
  readonly #letters = new GrowingLetters();
  readonly #ends = new GrowingNumbers();
  readonly #hashes = new GrowingNumbers();

  /** The number of `text.slice(start, end)`, a new one if it has none. `hash` is that of a `TokenScanner`. */
  numberOf(text: string, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const hashes = this.#hashes.values;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (hashes[number] === hash && this.#is(number, text, start, end)) return number;
    }
    return this.#add(text, start, end, hash, slot);
  }

  /** The token with this number. */
  of(number: number): string {
    return this.#tokens[number]!;
  }

  #is(number: number, text: string, start: number, end: number): boolean {
    const letters = this.#letters.values;
    const first = number === 0 ? 0 : this.#ends.values[number - 1]!;
    if (this.#ends.values[number]! - first !== end - start) return false;
    for (let i = start, at = first; i < end; i++, at++) {
      if (text.charCodeAt(i) !== letters[at]) return false;
    }
    return true;
  }

  #add(text: string, start: number, end: number, hash: number, slot: number): number {
    const number = this.#hashes.length;
    this.#tokens.push(text.slice(start, end));
    for (let i = start; i < end; i++) this.#letters.push(text.charCodeAt(i));
    this.#ends.push(this.#letters.length);
    this.#hashes.push(hash);
    this.#slots[slot] = number + 1;
    if (2 * this.#hashes.length > this.#slots.length) this.#enlarge();
    return number;
  }

  #enlarge(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#hashes.length; number++) {
      let slot = this.#hashes.values[number]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}
