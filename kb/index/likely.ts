import { K1 } from './bm25.ts';
import { MOST_OF_PASSAGE, scoreAtPlace, sourcesFrom, type Ranges } from './pooled.ts';
import type { Clause } from './postings.ts';

/** If the frequent terms have fewer postings than this, scoring all passages is as fast. */
const MANY_POSTINGS = 200_000;
/** The share of a passage's highest possible score that is left to terms with many postings. */
const LEFT_TO_FREQUENT = 0.08;
/** If more passages than this would be looked up, scoring all passages is as fast. */
const MOST_PASSAGES = 4_000;
/**
 * The number of sources that are scored behind the best ones, because some of the best may be removed later, such as
 * sources of a past year.
 */
const BEHIND = 10;
/** A margin above the rounding errors of a score. */
const SLACK = 0.001;

interface Wanted {
  /** The number of best sources that are wanted. */
  readonly count: number;
  /** The most that is added to the score of a source afterwards. */
  readonly added: number;
  /** Returns the given sources, and other sources whose scores are needed together with theirs. */
  readonly withOthers: (sources: ReadonlySet<number>) => ReadonlySet<number>;
}

/** The sources whose passages were scored, and a bound that the score of no other source exceeds. */
export interface Likely {
  readonly sources: ReadonlySet<number>;
  readonly others: number;
}

/**
 * Scores the passages of the sources that can be among the best, each exactly as if all passages were scored; all other
 * passages get 0. Terms in many passages say little but take nearly all of the time of a search in a large base.
 * Therefore the rarer terms decide which sources can be among the best (MaxScore; Turtle and Flood, 1995), and the
 * frequent terms are looked up for these sources only.
 *
 * @param clauses in the order in which their values are added, because sums of floats depend on the order
 * @returns `null` if all passages should be scored; the scores are then invalid
 */
export function scoreLikely(
  clauses: readonly Clause[],
  scores: Float32Array,
  ranges: Ranges,
  { count, added, withOthers }: Wanted,
): Likely | null {
  const { frequent, rest } = divided(clauses.flatMap(measured));
  if (frequent.reduce((sum, { frequency }) => sum + frequency, 0) < MANY_POSTINGS) return null;
  const most = frequent.reduce((sum, clause) => sum + clause.most, 0);
  scores.fill(0);
  for (const { postings, term, weight } of rest) postings.accumulate(term, weight, scores);
  const least = scoreAtPlace(count + BEHIND, scores, ranges);
  const from = least - MOST_OF_PASSAGE * most - added - SLACK;
  // `from` is NaN if no word of the question has a weight.
  if (!(from > 0)) return null;

  const sources = withOthers(sourcesFrom(from, scores, ranges));
  const passages = passagesOf(sources, ranges);
  if (passages.length > MOST_PASSAGES) return null;
  scores.fill(0);
  for (const { postings, term, weight } of clauses) postings.accumulateIn(passages, term, weight, scores);
  return { sources, others: least - SLACK / 2 };
}

interface Measured extends Clause {
  readonly frequency: number;
  /** The most that the clause adds to the score of a passage. */
  readonly most: number;
}

function measured(clause: Clause): Measured[] {
  const frequency = clause.postings.passageFrequency(clause.term);
  return frequency === 0 ? [] : [{ ...clause, frequency, most: clause.weight * (K1 + 1) }];
}

/** The clauses that add least for the time that they take, and all other clauses. */
function divided(clauses: readonly Measured[]): Record<'frequent' | 'rest', Measured[]> {
  const all = clauses.reduce((sum, { most }) => sum + most, 0);
  const byWorth = clauses.toSorted((a, b) => a.most / a.frequency - b.most / b.frequency);
  const frequent: Measured[] = [];
  let left = 0;
  for (const clause of byWorth) {
    left += clause.most;
    if (left > LEFT_TO_FREQUENT * all) break;
    frequent.push(clause);
  }
  return { frequent, rest: byWorth.slice(frequent.length) };
}

/** The passages of the sources, in ascending order. */
function passagesOf(sources: Iterable<number>, { firsts, lasts }: Ranges): Uint32Array {
  const passages: number[] = [];
  for (const number of sources) {
    for (let passage = firsts[number]!; passage < lasts[number]!; passage++) passages.push(passage);
  }
  return Uint32Array.from(passages).sort();
}
