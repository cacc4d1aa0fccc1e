type Words = readonly [number, number, number, number];

/**
 * Pseudo-random numbers that are the same on every machine: xoshiro128** (Blackman and Vigna, 2018) in 32-bit integers. Not
 * for secrets.
 */
export class DemoRandom {
  #words: Words;

  private constructor(words: Words) {
    this.#words = words;
  }

  static seeded(seed: number): DemoRandom {
    let state = seed | 0;
    // splitmix32, as the authors of xoshiro recommend, so that no seed makes the state all zeros.
    const word = (): number => {
      state = (state + 0x9e3779b9) | 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return (mixed ^ (mixed >>> 15)) | 0;
    };
    return new DemoRandom([word(), word(), word(), word()]);
  }

  /** An independent copy that continues with the same numbers. */
  copy(): DemoRandom {
    return new DemoRandom(this.#words);
  }

  /** An integer from 0 to 2^32 - 1. */
  word(): number {
    let [a, b, c, d] = this.#words;
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    this.#words = [a, b, c, d];
    return result;
  }

  /** A number from 0 to below 1. */
  uniform(): number {
    return this.word() / 0x1_0000_0000;
  }

  /**
   * A nearly normal number, mean 0 and variance 1. It sums uniform numbers, because logarithms may differ by machine.
   */
  normal(): number {
    const first = this.word();
    const second = this.word();
    const sum = (first & 0xffff) + (first >>> 16) + (second & 0xffff) + (second >>> 16);
    return (sum - SUM_MEAN) / SUM_DEVIATION;
  }
}

/** The mean of the sum of four uniform integers from 0 to 65,535, and its standard deviation. */
const SUM_MEAN = 2 * 65_535;
const SUM_DEVIATION = Math.sqrt((65_536 * 65_536 - 1) / 3);
