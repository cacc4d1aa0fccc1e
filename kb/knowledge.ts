import type { AboutBase } from './base/about.ts';
import type { FilesRead } from './base/load.ts';
import type { ReviewBase } from './review/review-base.ts';
import type { Language, Source } from './source.ts';
import type { Hit, SearchOptions } from './hit.ts';

export interface CoverageOptions {
  /** True if the part continues something that the base answers, which makes it likelier to be answered too. */
  readonly goesOn?: boolean;
  /** The source that is to answer it, where that is not the first. */
  readonly by?: Source;
}

/** How far the base answers what was asked. */
export interface Coverage {
  /** Share of the question that the best source has, 0 … 1. */
  readonly value: number;
  /** Probability that what was found answers the question, 0 … 1, calibrated. */
  readonly relevance: number;
  readonly covered: boolean;
  /** Words of the question that say what is asked for and stand in none of what was found. */
  readonly missing: readonly string[];
  /** Set if the question is about a year without a source: that year, and the years that have one. */
  readonly otherYears: { readonly asked: number; readonly there: readonly number[] } | null;
}

export interface KnowledgeIndex {
  /** Content hash over the files, the model and the code that reads them. */
  readonly hash: string;
  readonly builtAt: string;
  /** What the base says of itself, where it does. */
  readonly about: AboutBase | null;
  /** What its reviews understand, and judge by. */
  readonly review: ReviewBase;
  /** The files of its folder: what was taken in, and what was left out and why. */
  readonly files: FilesRead;
  readonly sources: readonly Source[];
  /** The languages of its sources, that of most of them first. */
  readonly languages: readonly Language[];
  readonly passageCount: number;
  /** `lexical` or `lexical+dense:<model>`. */
  readonly retrieval: string;
  source(id: string): Source | undefined;
  /** Best first; deterministic, ties by id. Asynchronous for the dense leg alone. */
  search(query: string, options: SearchOptions): Promise<readonly Hit[]>;
  coverage(query: string, hits: readonly Hit[], options?: CoverageOptions): Coverage;
  /** Lets go of its model, after searches that run; from then on it finds nothing. */
  close(): Promise<void>;
}
