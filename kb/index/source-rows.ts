import type { SourceWords } from './source-words.ts';

/** The number of numbers in the first stretch. Each further stretch has twice as many, up to `LONGEST_STRETCH`. */
const FIRST_STRETCH = 1 << 14;
/** 64 MiB: the system always gets memory of this size back when it is freed. */
const LONGEST_STRETCH = 1 << 24;
/** The numbers at the beginning of a source: the counts of its spans, ends and words, then its other fields. */
const HEAD = 6;

/**
 * The words of many sources, one source after the other in a few large stretches of memory. Separate arrays for each
 * source would take twice the memory, and the system would not get it back.
 */
export class SourceRows {
  readonly #stretches: Uint32Array[] = [];
  /** The end of each stretch that is full: the next source did not fit into it. */
  readonly #ends: number[] = [];

  add(source: SourceWords): void {
    const stretch = this.#stretchWith(roomOf(source));
    this.#ends[this.#ends.length - 1] = write(source, stretch, this.#ends.at(-1)!);
  }

  /** The sources in the order in which they were added. */
  *[Symbol.iterator](): Generator<SourceWords> {
    for (const [number, stretch] of this.#stretches.entries()) yield* sourcesIn(stretch, this.#ends[number]!);
  }

  /** Iterates over the sources and frees each stretch behind it. */
  *taking(): Generator<SourceWords> {
    for (;;) {
      const stretch = this.#stretches.shift();
      const end = this.#ends.shift();
      if (stretch === undefined || end === undefined) return;
      yield* sourcesIn(stretch, end);
    }
  }

  #stretchWith(room: number): Uint32Array {
    const last = this.#stretches.at(-1);
    if (last !== undefined && this.#ends.at(-1)! + room <= last.length) return last;
    const usual = last === undefined ? FIRST_STRETCH : Math.min(LONGEST_STRETCH, 2 * last.length);
    const stretch = new Uint32Array(Math.max(usual, room));
    this.#stretches.push(stretch);
    this.#ends.push(0);
    return stretch;
  }
}

/** The number of numbers that `write` needs for a source. */
export const roomOf = ({ spans, ends, words }: SourceWords): number =>
  HEAD + spans.length + ends.length + words.length;

/** Writes a source at this place, and returns the place after it. */
export function write(
  { spans, ends, words, asked, unanswered, isOfDocument }: SourceWords,
  stretch: Uint32Array,
  place: number,
): number {
  let at = place;
  const head = [spans.length, ends.length, words.length, asked, unanswered, Number(isOfDocument)];
  for (const numbers of [head, spans, ends, words]) {
    stretch.set(numbers, at);
    at += numbers.length;
  }
  return at;
}

/** The sources that were written before this end. */
export function* sourcesIn(stretch: Uint32Array, end: number): Generator<SourceWords> {
  for (let at = 0; at < end;) {
    const [spans, ends, words, asked, unanswered, isOfDocument] = stretch.subarray(at, at + HEAD);
    const endsFrom = at + HEAD + spans!;
    const wordsFrom = endsFrom + ends!;
    const after = wordsFrom + words!;
    yield {
      spans: stretch.subarray(at + HEAD, endsFrom),
      ends: stretch.subarray(endsFrom, wordsFrom),
      words: stretch.subarray(wordsFrom, after),
      asked: asked!,
      unanswered: unanswered!,
      isOfDocument: isOfDocument === 1,
    };
    at = after;
  }
}
