import type { SourceWords } from './source-words.ts';

/** How many numbers the first stretch has. Each further one has twice as many as the one before, up to `LONGEST_STRETCH`. */
const FIRST_STRETCH = 1 << 14;
/** 64 MiB: memory of this size the system gets back when it is let go, whatever else is in use. */
const LONGEST_STRETCH = 1 << 24;
/** The numbers that a source begins with: how many spans, ends and words follow, then its other fields. */
const HEAD = 6;

/**
 * The words of many sources, one source after the other in a few large stretches of memory. Arrays of their own for each source take
 * twice the room, and the system does not get them back when they are let go.
 */
export class SourceRows {
  readonly #stretches: Uint32Array[] = [];
  /** The end of each stretch, where no further source had room. */
  readonly #ends: number[] = [];

  add(source: SourceWords): void {
    const stretch = this.#stretchWith(roomOf(source));
    this.#ends[this.#ends.length - 1] = write(source, stretch, this.#ends.at(-1)!);
  }

  /** Each source in the order in which they came. */
  *[Symbol.iterator](): Generator<SourceWords> {
    for (const [number, stretch] of this.#stretches.entries()) yield* sourcesIn(stretch, this.#ends[number]!);
  }

  /** The same, and lets go what was taken. */
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

/** How many numbers `write` needs for a source. */
export const roomOf = ({ spans, ends, words }: SourceWords): number =>
  HEAD + spans.length + ends.length + words.length;

/** Writes a source from this place on, and returns its end. */
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

/** The sources that were written up to this end. */
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
