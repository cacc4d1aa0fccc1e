import { closed, FIRST_HASH, hashed } from '../analysis/letters.ts';
import type { Steps } from '../steps.ts';

/** The number of things that are numbered in one step. Each costs as much as comparing one word. */
const A_STEP = 200;
/** The number of slots in the table for each thing, at least. */
const SLOTS_EACH = 2;
/** The value of a free slot. A used slot has a number plus one. */
const FREE = 0;

/**
 * Finds things by their names: a hash table with open addressing that stores only the numbers of the things. It takes a
 * fraction of the time and memory of a `Map`, because it stores no names and has its final size from the beginning.
 */
export class NumbersByName {
  readonly #nameOf: (number: number) => string;
  readonly #slots: Uint32Array;

  private constructor(nameOf: (number: number) => string, slots: Uint32Array) {
    this.#nameOf = nameOf;
    this.#slots = slots;
  }

  /**
   * Numbers things step by step.
   *
   * @param nameOf returns the name of a thing, always the same name; several things may share a name
   */
  static *reading(count: number, nameOf: (number: number) => string): Steps<NumbersByName> {
    let size = 1;
    while (size <= SLOTS_EACH * count) size *= 2;
    const slots = new Uint32Array(size);
    for (let number = 0; number < count; number++) {
      let slot = hashOf(nameOf(number)) & (size - 1);
      while (slots[slot] !== FREE) slot = (slot + 1) & (size - 1);
      slots[slot] = number + 1;
      if (number % A_STEP === 0) yield A_STEP;
    }
    return new NumbersByName(nameOf, slots);
  }

  /** The first thing with this name. */
  of(name: string): number | undefined {
    const last = this.#slots.length - 1;
    for (let slot = hashOf(name) & last; this.#slots[slot] !== FREE; slot = (slot + 1) & last) {
      const number = this.#slots[slot]! - 1;
      if (this.#nameOf(number) === name) return number;
    }
    return undefined;
  }

  /** All things with this name, ascending. */
  all(name: string): number[] {
    const found: number[] = [];
    const last = this.#slots.length - 1;
    for (let slot = hashOf(name) & last; this.#slots[slot] !== FREE; slot = (slot + 1) & last) {
      const number = this.#slots[slot]! - 1;
      if (this.#nameOf(number) === name) found.push(number);
    }
    return found;
  }
}

function hashOf(name: string): number {
  let hash = FIRST_HASH;
  for (let at = 0; at < name.length; at++) hash = hashed(hash, name.charCodeAt(at));
  return closed(hash);
}
