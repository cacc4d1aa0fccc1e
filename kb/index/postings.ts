/** BM25 (Robertson and Zaragoza, 2009): saturation of repeated terms, and normalisation by length. */
const K1 = 1.2;
const B = 0.5;
const MOST = 500;

/** An impact of 255 stands for `K1 + 1`, the most that a term can reach. */
const IMPACT_STEPS = 255;

/**
 * An inverted index in typed arrays. What BM25 makes of a term's frequency and a passage's length is worked out once,
 * in a byte, so that a search only multiplies and adds.
 */
export interface PostingsData {
  readonly terms: readonly string[];
  /** Postings of term `t` lie at `offsets[t] … offsets[t + 1]`. */
  readonly offsets: Uint32Array;
  /** Passage numbers, ascending within a term. */
  readonly passages: Uint32Array;
  readonly impacts: Uint8Array;
  readonly passageCount: number;
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
    return id === undefined ? 0 : this.data.offsets[id + 1]! - this.data.offsets[id]!;
  }

  /**
   * Inverse passage frequency, above 0 always; that of a term in no passage is the highest. It is counted as in a base of
   * `MOST` passages at most: how many others lack the term says nothing about it.
   */
  idf(term: string): number {
    return Math.log(1 + Math.min(MOST, this.data.passageCount) / (this.passageFrequency(term) + 0.5));
  }

  /** Adds `weight` times the term's BM25 share (without idf) to each passage that holds it. */
  accumulate(term: string, weight: number, scores: Float32Array): void {
    const id = this.#ids.get(term);
    if (id === undefined) return;
    const { offsets, passages, impacts } = this.data;
    const step = (weight * (K1 + 1)) / IMPACT_STEPS;
    const end = offsets[id + 1]!;
    for (let i = offsets[id]!; i < end; i++) scores[passages[i]!]! += step * impacts[i]!;
  }

  /** True where one of the passages `from … to` (exclusive) holds the term. */
  occursIn(term: string, from: number, to: number): boolean {
    const id = this.#ids.get(term);
    if (id === undefined) return false;
    const { offsets, passages } = this.data;
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
}

/** Words of a question, or of its synonyms, as weights of terms and 4-grams. */
export interface WeightedTerms {
  readonly terms: ReadonlyMap<string, number>;
  readonly grams: ReadonlySet<string>;
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
  const pieces = [...asked.grams].map((gram) => ({ gram, share: grams.idf(gram) }));
  const gramSum = pieces.reduce((sum, { share }) => sum + share, 0);
  for (const { gram, share } of pieces) grams.accumulate(gram, (weight * share) / gramSum, scores);
}

/** Collects term frequencies passage by passage. */
export class PostingsBuilder {
  readonly #usualLength: number;
  readonly #ids = new Map<string, number>();
  /** For each term: the passages that have it, and how often each one does. */
  readonly #passages: number[][] = [];
  readonly #frequencies: number[][] = [];
  readonly #lengths: number[] = [];
  /** Counts of the terms in the passage that is being added. */
  readonly #counts = new Map<number, number>();

  /** @param usualLength of a passage, whatever the base: others that are added must not change what a passage is worth */
  constructor(usualLength: number) {
    this.#usualLength = usualLength;
  }

  /** The number under which a term is counted. */
  id(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    this.#ids.set(term, this.#ids.size);
    this.#passages.push([]);
    this.#frequencies.push([]);
    return this.#ids.size - 1;
  }

  /** Counts a term for the passage that is open; `weight` lets a title count for more than one occurrence. */
  add(id: number, weight: number): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + weight);
  }

  /** Closes a passage; passages are numbered in this order. */
  closePassage(length: number): void {
    for (const [id, count] of this.#counts) {
      this.#passages[id]!.push(this.#lengths.length);
      this.#frequencies[id]!.push(Math.fround(count));
    }
    this.#lengths.push(length);
    this.#counts.clear();
  }

  build(): PostingsData {
    const norms = this.#lengths.map((length) => K1 * (1 - B + (B * length) / this.#usualLength));
    const offsets = new Uint32Array(this.#passages.length + 1);
    for (const [id, { length }] of this.#passages.entries()) offsets[id + 1] = offsets[id]! + length;
    const passages = new Uint32Array(offsets.at(-1)!);
    const impacts = new Uint8Array(passages.length);
    for (const [id, held] of this.#passages.entries()) {
      passages.set(held, offsets[id]);
      for (const [i, frequency] of this.#frequencies[id]!.entries()) {
        const share = frequency / (frequency + norms[held[i]!]!);
        impacts[offsets[id]! + i] = Math.max(1, Math.round(share * IMPACT_STEPS));
      }
    }
    const terms = [...this.#ids.keys()];
    return { terms, offsets, passages, impacts, passageCount: this.#lengths.length };
  }
}
