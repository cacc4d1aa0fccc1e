/**
 * This share of the score of a source's first passage is added to the source's score, because texts begin with their
 * subject.
 */
const OPENING_WEIGHT = 0.3;

/** The largest factor by which the score of a passage counts in the score of its source. */
export const MOST_OF_PASSAGE = 1 + OPENING_WEIGHT;

/** A share of a score that is larger than its rounding error. */
const ROUNDING = 1e-6;

/** The passages of source `n` are those from `firsts[n]` to `lasts[n]` (exclusive). */
export interface Ranges {
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
}

/** The score of a source comes from its best passage and from its opening. */
export function scoreOfSource(scores: Float32Array, first: number, end: number): number {
  let best = 0;
  for (let passage = first; passage < end; passage++) {
    const score = scores[passage]!;
    if (score > best) best = score;
  }
  return Math.fround(best + OPENING_WEIGHT * scores[first]!);
}

/** Writes the score of each source to `pooled`. */
export function poolAll(scores: Float32Array, { firsts, lasts }: Ranges, pooled: Float32Array): Float32Array {
  for (let number = 0; number < pooled.length; number++)
    pooled[number] = scoreOfSource(scores, firsts[number]!, lasts[number]!);
  return pooled;
}

/** The score at this rank, counted from 1, if all sources are sorted by score; 0 if fewer sources have a score. */
export function scoreAtPlace(place: number, scores: Float32Array, { firsts, lasts }: Ranges): number {
  /** The best scores, the highest first. */
  const best: number[] = [];
  let least = 0;
  let needed = 0;
  for (let number = 0; number < firsts.length; number++) {
    const first = firsts[number]!;
    const end = lasts[number]!;
    if (!reaches(needed, scores, first, end)) continue;
    const score = scoreOfSource(scores, first, end);
    if (score <= least) continue;
    let at = best.length;
    while (at > 0 && best[at - 1]! < score) at--;
    best.splice(at, 0, score);
    if (best.length > place) best.pop();
    if (best.length < place) continue;
    least = best.at(-1)!;
    needed = neededFor(least);
  }
  return least;
}

/** The sources with at least this score, which is above 0. */
export function sourcesFrom(least: number, scores: Float32Array, { firsts, lasts }: Ranges): Set<number> {
  const needed = neededFor(least);
  const found = new Set<number>();
  for (let number = 0; number < firsts.length; number++) {
    const first = firsts[number]!;
    const end = lasts[number]!;
    if (reaches(needed, scores, first, end) && scoreOfSource(scores, first, end) >= least) found.add(number);
  }
  return found;
}

/** The score that one passage of a source needs at least if the source is to have this score. */
const neededFor = (score: number): number => (score / MOST_OF_PASSAGE) * (1 - ROUNDING);

function reaches(needed: number, scores: Float32Array, first: number, end: number): boolean {
  for (let passage = first; passage < end; passage++) if (scores[passage]! >= needed) return true;
  return false;
}
