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
  /** How it fits the question, if that decided its place. */
  readonly match?: Match;
  /** For each stem of the question, the stems that the base's synonyms give: how the sources say it. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]>;
}

export interface SearchOptions {
  /** Sources to return, best first. */
  topK: number;
  /** True for a search by a review's fact instead of a question: the order of the search is kept. */
  forFact?: boolean;
  /** Given for a part of a question: what was found for the whole question. Nothing else is searched. */
  among?: readonly Hit[];
}
