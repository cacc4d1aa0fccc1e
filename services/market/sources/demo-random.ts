/**
 * Pseudo-random numbers that are the same on every machine: xoshiro128** (Blackman and Vigna, 2018) in 32-bit integers. Not
 * for secrets.
 */
export class DemoRandom {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  private constructor(a: number, b: number, c: number, d: number) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }

  static seeded(seed: number): DemoRandom {
    let state = seed | 0;
    // splitmix32, as its authors advise: no seed leaves the state all zeros.
    const word = (): number => {
      state = (state + 0x9e3779b9) | 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return (mixed ^ (mixed >>> 15)) | 0;
    };
    return new DemoRandom(word(), word(), word(), word());
  }

  /** Goes on from here by itself, with the same numbers. */
  copy(): DemoRandom {
    return new DemoRandom(this.#a, this.#b, this.#c, this.#d);
  }

  /** An integer from 0 to 2^32 - 1. */
  word(): number {
    const scrambled = Math.imul(this.#b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** From 0 to below 1. */
  uniform(): number {
    return this.word() / 0x1_0000_0000;
  }

  /** Nearly normal, mean 0 and variance 1: a sum of four uniform numbers, since logarithms may differ between machines. */
  normal(): number {
    const first = this.word();
    const second = this.word();
    const sum = (first & 0xffff) + (first >>> 16) + (second & 0xffff) + (second >>> 16);
    return (sum - SUM_MEAN) / SUM_DEVIATION;
  }
}

/** Of the sum of four uniform integers from 0 to 65,535. */
const SUM_MEAN = 2 * 65_535;
const SUM_DEVIATION = Math.sqrt((65_536 * 65_536 - 1) / 3);
