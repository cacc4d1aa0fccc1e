import { hashOf, Letters } from '../analysis/letters.ts';

/** The number of slots at first: a power of two. At most half of the slots are used. */
const FIRST_SLOTS = 4096;
const FIRST_LENGTH = 32_768;

/** A record begins with the number of its token and the number of its letters. */
const NUMBER = 0;
const LENGTH = 1;
const HEAD = 2;

/**
 * Finds the record of a token by its spelling. A record has some numbers that the caller may use as it likes. A token
 * is compared where it is in its text, and its record lies together in memory. Cutting the token out and looking it up
 * in a `Map` takes several times as long, and is most of the work of reading a large base.
 */
export class Spellings {
  readonly #fields: number;
  /**
   * A hash table with open addressing. A slot has the hash of a token and the place of its record; the place is 0 in a
   * free slot.
   */
  #slots = new Uint32Array(2 * FIRST_SLOTS);
  /** The records: head, fields, letters. Two views of one memory, as numbers and as letters. */
  #records = new Uint32Array(FIRST_LENGTH);
  #letters = new Uint16Array(this.#records.buffer);
  /** The end of the last record. No record is at 0. */
  #end = 1;
  /** The tokens in the order in which they were first read. */
  readonly tokens: string[] = [];
  readonly #token = new Letters();

  /** @param fields the number of the caller's numbers for each token; they are 0 at first */
  constructor(fields = 0) {
    this.#fields = fields;
  }

  /**
   * The place of the record of the token from `start` to `end`; a new token gets a new record. A `TokenScanner`
   * provides the hash.
   */
  placeOf(text: Letters, start: number, end: number, hash = hashOf(text, start, end)): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (2 * hash) & mask;
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
      const place = slots[slot + 1]!;
      if (slots[slot] === hash && this.#is(place, text.codes, start, end)) return place;
    }
    return this.#add(text.copy(start, end), hash, slot);
  }

  /** The place of the record of a token that is given as a text. */
  placeOfToken(token: string): number {
    this.#token.read(token);
    return this.placeOf(this.#token, 0, token.length);
  }

  /** The number of tokens that were read before this token. */
  numberAt(place: number): number {
    return this.#records[place + NUMBER]!;
  }

  tokenAt(place: number): string {
    return this.tokens[this.numberAt(place)]!;
  }

  get(place: number, field: number): number {
    return this.#records[place + HEAD + field]!;
  }

  set(place: number, field: number, value: number): void {
    this.#records[place + HEAD + field] = value;
  }

  #is(place: number, codes: Uint16Array, start: number, end: number): boolean {
    if (this.#records[place + LENGTH] !== end - start) return false;
    const letters = this.#letters;
    for (let i = start, at = 2 * (place + HEAD + this.#fields); i < end; i++, at++) {
      if (codes[i] !== letters[at]) return false;
    }
    return true;
  }

  #add(token: string, hash: number, slot: number): number {
    const place = this.#end;
    const first = place + HEAD + this.#fields;
    this.#end = first + Math.ceil(token.length / 2);
    if (this.#end > this.#records.length) this.#reserve(this.#end);
    this.#records[place + NUMBER] = this.tokens.length;
    this.#records[place + LENGTH] = token.length;
    for (let i = 0; i < token.length; i++) this.#letters[2 * first + i] = token.charCodeAt(i);
    this.tokens.push(token);
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = place;
    if (4 * this.tokens.length > this.#slots.length) this.#enlarge();
    return place;
  }

  #reserve(length: number): void {
    const records = this.#records;
    this.#records = new Uint32Array(2 * length);
    this.#records.set(records);
    this.#letters = new Uint16Array(this.#records.buffer);
  }

  #enlarge(): void {
    const before = this.#slots;
    const slots = new Uint32Array(2 * before.length);
    const mask = slots.length - 1;
    for (let i = 0; i < before.length; i += 2) {
      if (before[i + 1] === 0) continue;
      let slot = (2 * before[i]!) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = before[i]!;
      slots[slot + 1] = before[i + 1]!;
    }
    this.#slots = slots;
  }
}
