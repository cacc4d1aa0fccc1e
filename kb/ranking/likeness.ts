import { readFileSync } from 'node:fs';
import type { Form } from '../analysis/word.ts';
import { gramsOf } from '../analysis/grams.ts';

/**
 * How similar two short texts are in what they ask for, even if they share few words. Each stem and each 4-gram has a
 * vector, the vector of a text is the sum of these, and the similarity of two texts is the cosine of their vectors. The
 * vectors are learned from different questions for the same passage (`npm run fit -- likeness`), as in fastText
 * (Bojanowski et al., 2017) with a contrastive loss (van den Oord et al., 2018). Unknown words add nothing.
 */
export class Likeness {
  readonly table: LikenessTable;
  /** The vectors of texts that are read once and compared with many questions. */
  readonly #vectors = new WeakMap<readonly Form[], Float32Array>();

  constructor(table: LikenessTable) {
    this.table = table;
  }

  /** A vector of length 1; all zeros if no word of the text is known. */
  vectorOf(words: readonly Form[]): Float32Array {
    let vector = this.#vectors.get(words);
    if (vector === undefined) this.#vectors.set(words, (vector = this.#sum(words)));
    return vector;
  }

  #sum(words: readonly Form[]): Float32Array {
    const { scales, values } = this.table;
    const sum = new Float32Array(DIMENSIONS);
    for (const cue of cuesOf(words)) {
      const scale = scales[cue]!;
      if (scale === 0) continue;
      const from = cue * DIMENSIONS;
      for (let d = 0; d < DIMENSIONS; d++) sum[d]! += scale * values[from + d]!;
    }
    const length = Math.hypot(...sum);
    return length === 0 ? sum : sum.map((value) => value / length);
  }
}

/** For each of `CUES` numbers: a vector of `DIMENSIONS` bytes, and the scale of its bytes. */
interface LikenessTable {
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

export const CUES = 1 << 15;
/** The numbers below are stems; the numbers from here on are 4-grams. */
export const FIRST_GRAM = CUES / 2;
export const DIMENSIONS = 128;

/** The cues of a text: the numbers of its stems, of the parts of its compounds and of its 4-grams, each once. */
export function cuesOf(words: readonly Form[]): Set<number> {
  const cues = new Set<number>();
  for (const { term, parts, folded } of words) {
    cues.add(numberOf(term));
    for (const part of parts) cues.add(numberOf(part));
    for (const gram of gramsOf(folded)) cues.add(FIRST_GRAM + numberOf(gram));
  }
  return cues;
}

/** The FNV-1a hash with 32 bits, reduced to its lowest bits. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return ((hash ^ (hash >>> 15)) >>> 0) % FIRST_GRAM;
}

/** Little-endian: the scales as 32 bit floats, then the vectors. */
export const LIKENESS_FILE = new URL('likeness.bin', import.meta.url);

export function readLikeness(): Likeness {
  const { buffer, byteOffset } = readFileSync(LIKENESS_FILE);
  const bytes = buffer.slice(byteOffset, byteOffset + CUES * (4 + DIMENSIONS));
  return new Likeness({
    scales: new Float32Array(bytes, 0, CUES),
    values: new Int8Array(bytes, 4 * CUES),
  });
}

export function dotOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < DIMENSIONS; d++) sum += a[d]! * b[d]!;
  return sum;
}
