/** Added to a source's score: this share of its first passage's score, because texts open with their subject. */
const OPENING_WEIGHT = 0.3;

/** By which the score of a passage counts in that of its source at most. */
export const MOST_OF_PASSAGE = 1 + OPENING_WEIGHT;

/** More than rounding changes of a score, as a share of it. */
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

/** The score of the source at this place, from 1 on, when all are sorted by their scores; 0 where fewer have one. */
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

/** What one passage of a source must have for such a score of the source. */
const neededFor = (score: number): number => (score / MOST_OF_PASSAGE) * (1 - ROUNDING);

function reaches(needed: number, scores: Float32Array, first: number, end: number): boolean {
  for (let passage = first; passage < end; passage++) if (scores[passage]! >= needed) return true;
  return false;
}
