import type { Letters } from '../analysis/letters.ts';
import { impactOf, normOf } from './bm25.ts';
import { GrowingNumbers } from './growing.ts';
import { Spellings } from './spellings.ts';
import { BLOCK, type PostingsBlock, type PostingsData } from './postings.ts';

/** Frequencies are counted in tenths as integers, so that the sum does not depend on the order of addition. */
export const TENTHS = 10;

/** Collects term frequencies by passage, and turns them into postings by term. */
export class PostingsBuilder {
  readonly #usualLength: number;
  readonly #ids = new Spellings();
  /** How often each term occurs in the open passage, and which terms do. */
  #counts = new Uint32Array(1024);
  readonly #open = new GrowingNumbers();
  readonly #blocks: PostingsBlock[] = [];
  #passageCount = 0;
  /**
   * The impact of each frequency in the open passage, by the frequency in tenths, so that it is computed only once; 0
   * if it is not known yet.
   */
  readonly #known = new Uint8Array(256);
  /**
   * The terms and impacts of the open block, passage after passage, in several stretches. `#ends` has the end of each
   * passage in its stretch.
   */
  readonly #stretches: Stretch[] = [];
  #stretch = 0;
  readonly #ends = new GrowingNumbers();

  /**
   * @param usualLength the assumed usual length of a passage. It is the same for every base, because added passages
   * must not change the scores of others
   */
  constructor(usualLength: number) {
    this.#usualLength = usualLength;
  }

  /** The number under which a term is counted. */
  id(term: string): number {
    return this.#numberAt(this.#ids.placeOfToken(term));
  }

  /** The number of the term from `start` to `end`. */
  idOf(letters: Letters, start: number, end: number): number {
    return this.#numberAt(this.#ids.placeOf(letters, start, end));
  }

  #numberAt(place: number): number {
    const id = this.#ids.numberAt(place);
    if (id === this.#counts.length) {
      const counts = this.#counts;
      this.#counts = new Uint32Array(2 * id);
      this.#counts.set(counts);
    }
    return id;
  }

  /**
   * Counts the terms `ids[from] … ids[to]` (exclusive) for the open passage, each with this many tenths, because a word
   * in a title counts more than a word in a text.
   */
  add(ids: Uint32Array, from: number, to: number, tenths: number): void {
    const counts = this.#counts;
    this.#open.reserve(to - from);
    const open = this.#open.values;
    let { length } = this.#open;
    for (let i = from; i < to; i++) {
      const id = ids[i]!;
      if (counts[id] === 0) open[length++] = id;
      counts[id]! += tenths;
    }
    this.#open.length = length;
  }

  /** Closes a passage; passages are numbered in this order. */
  closePassage(length: number): void {
    const { length: count, values: open } = this.#open;
    const norm = normOf(length, this.#usualLength);
    const known = this.#known.fill(0);
    const stretch = this.#stretchWith(count);
    const { terms, impacts } = stretch;
    const counts = this.#counts;
    let at = stretch.length;
    for (let i = 0; i < count; i++, at++) {
      const id = open[i]!;
      terms[at] = id;
      const tenths = counts[id]!;
      const impact = known[tenths] || impactOf(Math.fround(tenths / TENTHS), norm);
      known[tenths] = impact;
      impacts[at] = impact;
      counts[id] = 0;
    }
    this.#open.length = 0;
    stretch.length = at;
    stretch.passages++;
    this.#ends.push(at);
    this.#passageCount++;
    if (this.#ends.length === BLOCK) this.#closeBlock();
  }

  build(): PostingsData {
    if (this.#ends.length > 0) this.#closeBlock();
    const terms = this.#ids.tokens;
    const blocks = this.#blocks.map((block) => ({
      ...block,
      offsets: extended(block.offsets, terms.length),
    }));
    return { terms, blocks, passageCount: this.#passageCount };
  }

  /** The stretch for the postings of the open passage. Stretches of the block before are reused. */
  #stretchWith(room: number): Stretch {
    const open = this.#stretches[this.#stretch];
    if (open !== undefined && open.length + room <= open.terms.length) return open;
    if (open !== undefined) this.#stretch++;
    const next = this.#stretches[this.#stretch];
    if (next !== undefined && room <= next.terms.length) return next;
    const usual = open === undefined ? FIRST_STRETCH : Math.min(LONGEST_STRETCH, 2 * open.terms.length);
    const length = Math.max(room, usual);
    const made = {
      terms: new Uint32Array(length),
      impacts: new Uint8Array(length),
      length: 0,
      passages: 0,
    };
    this.#stretches[this.#stretch] = made;
    return made;
  }

  /**
   * Sorts the postings of the open block by term. First the postings of each term are counted, so that it is known
   * where each term begins; then each posting is written to its place.
   */
  #closeBlock(): void {
    const used = this.#stretches.slice(0, this.#stretch + 1);
    const offsets = new Uint32Array(this.#ids.tokens.length + 1);
    for (const { terms, length } of used) for (let i = 0; i < length; i++) offsets[terms[i]! + 1]!++;
    for (let id = 0; id < this.#ids.tokens.length; id++) offsets[id + 1]! += offsets[id]!;
    const places = offsets.slice();
    const total = offsets.at(-1)!;
    const passages = new Uint16Array(total);
    const impacts = new Uint8Array(total);
    let passage = 0;
    for (const stretch of used) {
      const after = passage + stretch.passages;
      for (let i = 0; passage < after; passage++) {
        for (const end = this.#ends.values[passage]!; i < end; i++) {
          const place = places[stretch.terms[i]!]!++;
          passages[place] = passage;
          impacts[place] = stretch.impacts[i]!;
        }
      }
      stretch.length = 0;
      stretch.passages = 0;
    }
    this.#blocks.push({ offsets, passages, impacts });
    this.#stretch = 0;
    this.#ends.length = 0;
  }
}

/** The terms and impacts of some passages in a row. */
interface Stretch {
  readonly terms: Uint32Array;
  readonly impacts: Uint8Array;
  length: number;
  passages: number;
}

/**
 * The number of postings in the first stretch. Each further stretch has twice as many, up to a bound. A single array
 * that doubles would be copied each time, and much of it would stay unused.
 */
const FIRST_STRETCH = 1 << 12;
const LONGEST_STRETCH = 1 << 20;

/** The offsets with entries for terms that were added after the block; these have no postings in it. */
function extended(offsets: Uint32Array, terms: number): Uint32Array {
  const all = new Uint32Array(terms + 1).fill(offsets.at(-1)!);
  all.set(offsets);
  return all;
}
