import type { Source, Passage } from './source.ts';
import type { Match } from './ranking/fit.ts';

export interface Hit {
  readonly source: Source;
  /** The best score of the source's passages (max-pooled); only comparable within one search. */
  readonly score: number;
  /** The matching passages, best first. */
  readonly passages: readonly Passage[];
  /** True if the question names the source (`§ 3 EntgFG`, an id): such hits come first. */
  readonly referenced: boolean;
  /** How it fits the question, if that decided its place. */
  readonly match?: Match;
  /** For each stem of the question, the stems of the base's synonyms, which are the sources' words. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]>;
}

export interface SearchOptions {
  /** The number of sources to return, best first. */
  topK: number;
  /** True for a search by a fact of a review instead of a question, which keeps the order of the search. */
  forFact?: boolean;
  /** For a part of a question: the hits of the whole question. Nothing else is searched. */
  among?: readonly Hit[];
}
