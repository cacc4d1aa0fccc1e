import { K1 } from './bm25.ts';
import { MOST_OF_PASSAGE, scoreAtPlace, sourcesFrom, type Ranges } from './pooled.ts';
import type { Clause } from './postings.ts';

/** With fewer postings than this besides, all passages are scored as fast. */
const MANY_POSTINGS = 200_000;
/** The share of what a passage can reach at most that is left to terms with many postings. */
const LEFT_TO_FREQUENT = 0.08;
/** For more passages than this, all are scored as fast. */
const MOST_PASSAGES = 4_000;
/** Sources that rank behind the best, in case some of these are taken out, such as those of a past year. */
const BEHIND = 10;
/** More than rounding adds to a score. */
const SLACK = 0.001;

interface Wanted {
  /** How many best sources. */
  readonly count: number;
  /** What is added to the score of a source afterwards, at most. */
  readonly added: number;
  /** These sources, and others whose scores are needed with theirs. */
  readonly withOthers: (sources: ReadonlySet<number>) => ReadonlySet<number>;
}

/** The sources whose passages have been scored, and what none of the others has a score above. */
export interface Likely {
  readonly sources: ReadonlySet<number>;
  readonly others: number;
}

/**
 * Scores the passages of those sources that can be among the best, each exactly as if all were scored; the others get 0. Terms in many
 * passages say little and take nearly all of the time of a search in a large base: it is found without them which sources they can
 * bring among the best (MaxScore; Turtle and Flood, 1995), and only those are looked up in their postings.
 *
 * @param clauses in the order in which their values are added, since sums of floats depend on it
 * @returns `null` where all passages should be scored; the scores are of no use then
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
  // Not a number where no word of the question says anything.
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
  /** What it adds to a passage at most. */
  readonly most: number;
}

function measured(clause: Clause): Measured[] {
  const frequency = clause.postings.passageFrequency(clause.term);
  return frequency === 0 ? [] : [{ ...clause, frequency, most: clause.weight * (K1 + 1) }];
}

/** The clauses that say least for the time that they take, and the rest. */
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

/** In ascending order. */
function passagesOf(sources: Iterable<number>, { firsts, lasts }: Ranges): Uint32Array {
  const passages: number[] = [];
  for (const number of sources) {
    for (let passage = firsts[number]!; passage < lasts[number]!; passage++) passages.push(passage);
  }
  return Uint32Array.from(passages).sort();
}
