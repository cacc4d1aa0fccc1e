import { IMPACT_STEPS, K1 } from './bm25.ts';

const MOST = 500;

/** Passages in a block: as many as two bytes can number, so that a posting takes three bytes, its impact included. */
export const BLOCK = 0x1_00_00;

/**
 * An inverted index in typed arrays, in blocks of `BLOCK` passages. What BM25 makes of a term's frequency and a passage's length is worked out once,
 * in a byte, so that a search only multiplies and adds.
 */
export interface PostingsData {
  readonly terms: readonly string[];
  readonly blocks: readonly PostingsBlock[];
  readonly passageCount: number;
}

export interface PostingsBlock {
  /** Postings of term `t` lie at `offsets[t] … offsets[t + 1]`. */
  readonly offsets: Uint32Array;
  /** Passage numbers within the block, ascending within a term. */
  readonly passages: Uint16Array;
  readonly impacts: Uint8Array;
}

export class Postings {
  readonly data: PostingsData;
  readonly #ids: ReadonlyMap<string, number>;

  constructor(data: PostingsData) {
    this.data = data;
    this.#ids = new Map(data.terms.map((term, id) => [term, id]));
  }

  /** The number of passages in which the term occurs. */
  passageFrequency(term: string): number {
    const id = this.#ids.get(term);
    if (id === undefined) return 0;
    return this.data.blocks.reduce((sum, { offsets }) => sum + offsets[id + 1]! - offsets[id]!, 0);
  }

  /**
   * Inverse passage frequency. It is always above 0, and highest for a term in no passage. The base counts as `MOST` passages
   * at most, because the number of other passages without the term says nothing about it.
   */
  idf(term: string): number {
    return Math.log(1 + Math.min(MOST, this.data.passageCount) / (this.passageFrequency(term) + 0.5));
  }

  /** Adds `weight` times the term's BM25 share (without idf) to each passage that holds it. */
  accumulate(term: string, weight: number, scores: Float32Array): void {
    const id = this.#ids.get(term);
    if (id === undefined) return;
    const step = (weight * (K1 + 1)) / IMPACT_STEPS;
    for (const [number, { offsets, passages, impacts }] of this.data.blocks.entries()) {
      const first = number * BLOCK;
      const end = offsets[id + 1]!;
      for (let i = offsets[id]!; i < end; i++) scores[first + passages[i]!]! += step * impacts[i]!;
    }
  }

  /** True where one of the passages `from … to` (exclusive) holds the term. */
  occursIn(term: string, from: number, to: number): boolean {
    const id = this.#ids.get(term);
    if (id === undefined) return false;
    // The passages of a source may stand in two blocks.
    return this.data.blocks.slice(Math.floor(from / BLOCK), Math.ceil(to / BLOCK)).some((block, i) => {
      const first = (Math.floor(from / BLOCK) + i) * BLOCK;
      return occursInBlock(block, id, from - first, to - first);
    });
  }
}

function occursInBlock({ offsets, passages }: PostingsBlock, id: number, from: number, to: number): boolean {
  let low = offsets[id]!;
  let high = offsets[id + 1]!;
  const end = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passages[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low < end && passages[low]! < to;
}

/** Words of a question, or of its synonyms, as weights of terms and 4-grams. */
export interface WeightedTerms {
  readonly terms: ReadonlyMap<string, number>;
  readonly grams: ReadonlyMap<string, number>;
}

/**
 * Adds `weight` times the words' score: word BM25 and 4-gram BM25, each divided by the sum of the idf asked for, so
 * that both lie between 0 and about 1 whatever the length of the question. (Adding beats fusing ranks: a clear
 * winner of one leg keeps its lead.)
 */
export function scoreWords(
  asked: WeightedTerms,
  weight: number,
  words: Postings,
  grams: Postings,
  scores: Float32Array,
): void {
  const terms = [...asked.terms].map(([term, share]) => ({ term, share: share * words.idf(term) }));
  const termSum = terms.reduce((sum, { share }) => sum + share, 0);
  for (const { term, share } of terms) words.accumulate(term, (weight * share) / termSum, scores);
  const pieces = [...asked.grams].map(([gram, share]) => ({ gram, share: share * grams.idf(gram) }));
  const gramSum = pieces.reduce((sum, { share }) => sum + share, 0);
  for (const { gram, share } of pieces) grams.accumulate(gram, (weight * share) / gramSum, scores);
}
