import type { Source, Passage } from './source.ts';
import type { Match } from './ranking/fit.ts';

export interface Hit {
  readonly source: Source;
  /** The best score of the source's passages. Scores can only be compared within one search. */
  readonly score: number;
  /** The matching passages, best first. */
  readonly passages: readonly Passage[];
  /** True if the question names the source (`§ 3 EntgFG`, an id): such hits come first. */
  readonly referenced: boolean;
  /** How the source fits the question, if that decided its rank. */
  readonly match?: Match;
  /** For each stem of the question, the stems of the base's synonyms for it. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]>;
}

export interface SearchOptions {
  /** The number of sources to return, best first. */
  topK: number;
  /** Whether the search is for a fact of a review instead of a question, which keeps the order of the search. */
  forFact?: boolean;
  /** For a part of a question: the hits of the whole question, among which alone it searches. */
  among?: readonly Hit[];
}
