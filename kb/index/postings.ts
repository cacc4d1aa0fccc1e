/** BM25 (Robertson and Zaragoza, 2009): saturation of repeated terms, and normalisation by length. */
export interface Bm25 {
  readonly k1: number;
  readonly b: number;
}

const MOST = 500;

/** An impact of 255 stands for `k1 + 1`, the most that a term can reach. */
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
  readonly k1: number;
}

export class Postings {
  readonly data: PostingsData;
  readonly #ids: ReadonlyMap<string, number>;

  constructor(data: PostingsData) {
    this.data = data;
    this.#ids = new Map(data.terms.map((term, id) => [term, id]));
  }

  idOf(term: string): number | undefined {
    return this.#ids.get(term);
  }

  /** In how many passages the term occurs. */
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
    const { offsets, passages, impacts, k1 } = this.data;
    const step = (weight * (k1 + 1)) / IMPACT_STEPS;
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

/** Collects term frequencies passage by passage, then sorts them into postings. */
export class PostingsBuilder {
  readonly #ids = new Map<string, number>();
  readonly #counts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #frequencies = new Map<number, number>();
  #entries = 0;
  #terms = new Uint32Array(1 << 16);
  #passages = new Uint32Array(1 << 16);
  #values = new Float32Array(1 << 16);

  /** The number under which a term is counted. */
  id(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(term, id);
    this.#counts.push(0);
    return id;
  }

  /** Counts a term for the passage that is open; `weight` lets a title count for more than one occurrence. */
  add(id: number, weight: number): void {
    this.#frequencies.set(id, (this.#frequencies.get(id) ?? 0) + weight);
  }

  /** Closes a passage; passages are numbered in this order. */
  closePassage(length: number): void {
    const passage = this.#lengths.length;
    this.#lengths.push(length);
    this.#reserve(this.#entries + this.#frequencies.size);
    for (const [id, frequency] of this.#frequencies) {
      this.#terms[this.#entries] = id;
      this.#passages[this.#entries] = passage;
      this.#values[this.#entries] = frequency;
      this.#counts[id]!++;
      this.#entries++;
    }
    this.#frequencies.clear();
  }

  #reserve(size: number): void {
    if (size <= this.#terms.length) return;
    const capacity = Math.max(size, this.#terms.length * 2);
    this.#terms = grow(this.#terms, new Uint32Array(capacity));
    this.#passages = grow(this.#passages, new Uint32Array(capacity));
    this.#values = grow(this.#values, new Float32Array(capacity));
  }

  build({ k1, b }: Bm25): PostingsData {
    const offsets = new Uint32Array(this.#counts.length + 1);
    for (const [id, count] of this.#counts.entries()) offsets[id + 1] = offsets[id]! + count;
    const next = offsets.slice();
    const passages = new Uint32Array(this.#entries);
    const impacts = new Uint8Array(this.#entries);
    const mean = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(this.#lengths.length, 1);
    const norms = Float64Array.from(
      this.#lengths,
      (length) => k1 * (1 - b + (b * length) / Math.max(mean, 1e-9)),
    );
    for (let i = 0; i < this.#entries; i++) {
      const place = next[this.#terms[i]!]!++;
      const passage = this.#passages[i]!;
      const frequency = this.#values[i]!;
      passages[place] = passage;
      impacts[place] = Math.max(1, Math.round((frequency / (frequency + norms[passage]!)) * IMPACT_STEPS));
    }
    return {
      terms: [...this.#ids.keys()],
      offsets,
      passages,
      impacts,
      passageCount: this.#lengths.length,
      k1,
    };
  }
}

function grow<A extends Uint32Array | Float32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
