import type { Source, Passage } from './source.ts';
import type { Match } from './ranking/fit.ts';

export interface Hit {
  readonly source: Source;
  /** Best score of the source's passages (max-pooled); comparable within one search only. */
  readonly score: number;
  /** Its matching passages, best first. */
  readonly passages: readonly Passage[];
  /** True when the question names it (`§ 3 EntgFG`, an id): such hits come first. */
  readonly referenced: boolean;
  /** Where its place was decided by how it fits the question. */
  readonly match?: Match;
  /** For stems of the question those that the base's synonyms give for them: how the sources put what was asked. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]>;
}

export interface SearchOptions {
  /** Sources to return, best first. */
  topK: number;
  /** Not a question, but what a review holds its facts against: it stays in the order of the search. */
  forFact?: boolean;
  /** It is a part of a question, and this is what was found for all of that: nothing else is looked for. */
  among?: readonly Hit[];
}
