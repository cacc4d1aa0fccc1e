import type { Letters } from '../analysis/letters.ts';
import { impactOf, normOf } from './bm25.ts';
import { GrowingBytes, GrowingNumbers } from './growing.ts';
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
  /** The impacts of the open passage's frequencies below this many tenths; 0 where unknown. */
  readonly #known = new Uint8Array(256);
  /** The terms and impacts of the open block by passage, and where each passage ends. */
  readonly #terms = new GrowingNumbers();
  readonly #impacts = new GrowingBytes();
  readonly #ends = new GrowingNumbers();

  /** @param usualLength of a passage, whatever the base: others that are added must not change what a passage is worth */
  constructor(usualLength: number) {
    this.#usualLength = usualLength;
  }

  /** The number under which a term is counted. */
  id(term: string): number {
    return this.#numberAt(this.#ids.placeOfToken(term));
  }

  /** The same for the term from `start` to `end`. */
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
   * Counts the terms `ids[from] … ids[to]` (exclusive) for the open passage, each by this many tenths: a word of a title counts
   * more than one of a text.
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
    this.#terms.reserve(count);
    this.#impacts.reserve(count);
    const counts = this.#counts;
    let at = this.#terms.length;
    for (let i = 0; i < count; i++, at++) {
      const id = open[i]!;
      this.#terms.values[at] = id;
      const tenths = counts[id]!;
      const impact = known[tenths] || impactOf(Math.fround(tenths / TENTHS), norm);
      known[tenths] = impact;
      this.#impacts.values[at] = impact;
      counts[id] = 0;
    }
    this.#open.length = 0;
    this.#terms.length = at;
    this.#impacts.length = at;
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

  /** Sorts the counts by term: first the number of postings for each term, then each posting. */
  #closeBlock(): void {
    const terms = this.#terms.values;
    const total = this.#terms.length;
    const offsets = new Uint32Array(this.#ids.tokens.length + 1);
    for (let i = 0; i < total; i++) offsets[terms[i]! + 1]!++;
    for (let id = 0; id < this.#ids.tokens.length; id++) offsets[id + 1]! += offsets[id]!;
    const places = offsets.slice();
    const passages = new Uint16Array(total);
    const impacts = new Uint8Array(total);
    for (let passage = 0, i = 0; passage < this.#ends.length; passage++) {
      for (const end = this.#ends.values[passage]!; i < end; i++) {
        const place = places[terms[i]!]!++;
        passages[place] = passage;
        impacts[place] = this.#impacts.values[i]!;
      }
    }
    this.#blocks.push({ offsets, passages, impacts });
    this.#terms.length = 0;
    this.#impacts.length = 0;
    this.#ends.length = 0;
  }
}

/** Later terms have no postings in the block. */
function extended(offsets: Uint32Array, terms: number): Uint32Array {
  const all = new Uint32Array(terms + 1).fill(offsets.at(-1)!);
  all.set(offsets);
  return all;
}
