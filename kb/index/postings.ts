import { atOnce, type AsyncSteps, type Steps } from '../steps.ts';
import { IMPACT_STEPS, K1 } from './bm25.ts';
import { NumbersByName } from './numbers-by-name.ts';

const MOST = 500;

/**
 * The number of passages in a block: as many as two bytes can number, so that a posting with its impact takes three
 * bytes.
 */
export const BLOCK = 0x1_00_00;

/**
 * An inverted index in typed arrays, in blocks of `BLOCK` passages. The BM25 value of a term's frequency and a
 * passage's length is computed in advance and stored in a byte, so that a search only multiplies and adds.
 */
export interface PostingsData {
  readonly terms: readonly string[];
  readonly blocks: readonly PostingsBlock[];
  readonly passageCount: number;
}

export interface PostingsBlock {
  /** The postings of term `t` are at `offsets[t] … offsets[t + 1]`. */
  readonly offsets: Uint32Array;
  /** The numbers of passages within the block, ascending for each term. */
  readonly passages: Uint16Array;
  readonly impacts: Uint8Array;
  /** For postings that are in a file until they are needed: reads the postings at `from … to` (exclusive). */
  load?(from: number, to: number): void;
  /** Reads all postings from the file, step by step. */
  loading?(): AsyncSteps<void>;
}

/** Passages that were indexed together, and the number of the first one. */
interface Segment {
  readonly data: PostingsData;
  readonly ids: NumbersByName;
  readonly first: number;
}

/** What a change adds to postings and removes from them. Removed passages keep their numbers but no longer count. */
interface PostingsChange {
  readonly added: PostingsData;
  /** The number of removed passages with each term, and of all removed passages. */
  readonly gone: ReadonlyMap<string, number>;
  readonly passagesGone: number;
}

export class Postings {
  readonly #segments: readonly Segment[];
  readonly #gone: ReadonlyMap<string, number>;
  readonly #passageCount: number;

  private constructor(segments: readonly Segment[], gone: ReadonlyMap<string, number>, passageCount: number) {
    this.#segments = segments;
    this.#gone = gone;
    this.#passageCount = passageCount;
  }

  static of(data: PostingsData): Postings {
    return atOnce(Postings.reading(data));
  }

  /** Numbers the terms step by step, because a large base has a million. */
  static *reading(data: PostingsData): Steps<Postings> {
    return new Postings([yield* readingSegment(data, 0)], new Map(), data.passageCount);
  }

  /** The postings after a change. The postings before it stay unchanged. Added passages get the next numbers. */
  *changing({ added, gone, passagesGone }: PostingsChange): Steps<Postings> {
    const segment = yield* readingSegment(added, this.#passageCount);
    const count = this.#passageCount + added.passageCount - passagesGone;
    return new Postings([...this.#segments, segment], gone, count);
  }

  /** The terms of all passages, including removed ones; some may come twice. */
  *terms(): Generator<string> {
    for (const { data } of this.#segments) yield* data.terms;
  }

  /** The number of passages in which the term occurs. */
  passageFrequency(term: string): number {
    let sum = 0;
    for (const { data, ids } of this.#segments) {
      const id = ids.of(term);
      if (id === undefined) continue;
      for (const { offsets } of data.blocks) sum += offsets[id + 1]! - offsets[id]!;
    }
    return sum - (this.#gone.get(term) ?? 0);
  }

  /**
   * Inverse passage frequency. It is always above 0, and highest for a term in no passage. The base counts as `MOST` passages
   * at most, because the number of other passages without the term says nothing about it.
   */
  idf(term: string): number {
    return Math.log(1 + Math.min(MOST, this.#passageCount) / (this.passageFrequency(term) + 0.5));
  }

  /** Adds `weight` times the term's BM25 value (without idf) to each passage with the term. */
  accumulate(term: string, weight: number, scores: Float32Array): void {
    const step = (weight * (K1 + 1)) / IMPACT_STEPS;
    for (const { data, ids, first } of this.#segments) {
      const id = ids.of(term);
      if (id === undefined) continue;
      for (const [number, block] of data.blocks.entries()) {
        const { offsets, passages, impacts } = block;
        // A view of the block's scores alone, so that the loop adds to them without an offset.
        const ofBlock = scores.subarray(first + number * BLOCK);
        const end = offsets[id + 1]!;
        block.load?.(offsets[id]!, end);
        for (let i = offsets[id]!; i < end; i++) ofBlock[passages[i]!]! += step * impacts[i]!;
      }
    }
  }

  /**
   * Does the same as `accumulate` for the given passages alone, which are in ascending order. Each passage gets exactly
   * the float that `accumulate` gives.
   */
  accumulateIn(among: Uint32Array, term: string, weight: number, scores: Float32Array): void {
    const step = (weight * (K1 + 1)) / IMPACT_STEPS;
    let at = 0;
    for (const { data, ids, first } of this.#segments) {
      const id = ids.of(term);
      for (const [number, block] of data.blocks.entries()) {
        const { offsets, passages, impacts } = block;
        const before = first + number * BLOCK;
        const after = Math.min(before + BLOCK, first + data.passageCount);
        let from = id === undefined ? 0 : offsets[id]!;
        const end = id === undefined ? 0 : offsets[id + 1]!;
        block.load?.(from, end);
        for (; at < among.length && among[at]! < after; at++) {
          const passage = among[at]!;
          from = placeFrom(passages, from, end, passage - before);
          if (from < end && passages[from] === passage - before) scores[passage]! += step * impacts[from]!;
        }
      }
    }
  }

  /** True if one of the passages `from … to` (exclusive), which were indexed together, has the term. */
  occursIn(term: string, from: number, to: number): boolean {
    const { data, ids, first } = this.#segments.findLast((segment) => segment.first <= from)!;
    const id = ids.of(term);
    if (id === undefined) return false;
    // A block has the postings of a fixed number of passages, so the passages of one source may be in two blocks.
    const block = Math.floor((from - first) / BLOCK);
    return data.blocks.slice(block, Math.ceil((to - first) / BLOCK)).some((each, i) => {
      const before = first + (block + i) * BLOCK;
      return occursInBlock(each, id, from - before, to - before);
    });
  }

  /** The numbers of the passages with the term, among the passages that were indexed first. */
  *passagesWith(term: string): Generator<number> {
    const [{ data, ids }] = this.#segments as [Segment];
    const id = ids.of(term);
    if (id === undefined) return;
    for (const [number, block] of data.blocks.entries()) {
      const { offsets, passages } = block;
      block.load?.(offsets[id]!, offsets[id + 1]!);
      for (let i = offsets[id]!; i < offsets[id + 1]!; i++) yield number * BLOCK + passages[i]!;
    }
  }
}

function* readingSegment(data: PostingsData, first: number): Steps<Segment> {
  const { terms } = data;
  return { data, ids: yield* NumbersByName.reading(terms.length, (id) => terms[id]!), first };
}

function occursInBlock(block: PostingsBlock, id: number, from: number, to: number): boolean {
  const { offsets, passages } = block;
  const end = offsets[id + 1]!;
  block.load?.(offsets[id]!, end);
  const place = placeOf(passages, offsets[id]!, end, from);
  return place < end && passages[place]! < to;
}

/** The result of `placeOf` for a place near `low`, which is searched in steps that double. */
function placeFrom(passages: Uint16Array, low: number, high: number, passage: number): number {
  let from = low;
  for (let step = 1; from < high && passages[from]! < passage; step *= 2) {
    low = from + 1;
    from += step;
  }
  return placeOf(passages, low, Math.min(from, high), passage);
}

/** The first place from `low` to `high` (exclusive) with this passage or a later one; `high` if there is none. */
function placeOf(passages: Uint16Array, low: number, high: number, passage: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passages[middle]! < passage) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The words of a question or of its synonyms, as weights of terms and 4-grams. */
export interface WeightedTerms {
  readonly terms: ReadonlyMap<string, number>;
  readonly grams: ReadonlyMap<string, number>;
}

/** What a term of a question adds to the scores of passages. */
export interface Clause {
  readonly postings: Postings;
  readonly term: string;
  /** `Postings.accumulate` adds this times the term's BM25 value. */
  readonly weight: number;
}

/**
 * The clauses that add `weight` times the score of the words: word BM25 and 4-gram BM25, each divided by the sum of the
 * question's idf, so that both are between 0 and about 1 for a question of any length. (Adding scores is better than
 * fusing ranks, because a clear winner of one score keeps its lead.)
 */
export function clausesOf(asked: WeightedTerms, weight: number, words: Postings, grams: Postings): Clause[] {
  return [...clausesIn(asked.terms, weight, words), ...clausesIn(asked.grams, weight, grams)];
}

function clausesIn(terms: ReadonlyMap<string, number>, weight: number, postings: Postings): Clause[] {
  const shares = [...terms].map(([term, share]) => ({ term, share: share * postings.idf(term) }));
  const sum = shares.reduce((all, { share }) => all + share, 0);
  return shares.map(({ term, share }) => ({ postings, term, weight: (weight * share) / sum }));
}
