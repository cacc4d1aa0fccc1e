import type { AboutBase } from './base/about.ts';
import type { FilesRead } from './base/load.ts';
import type { ReviewBase } from './review/review-base.ts';
import type { Language, Source } from './source.ts';
import type { Hit, SearchOptions } from './hit.ts';

export interface CoverageOptions {
  /** True if the part continues one that the base answers, which makes an answer more likely. */
  readonly goesOn?: boolean;
  /** The source that should answer it, if that is not the first. */
  readonly by?: Source;
}

/** How well the base answers a question. */
export interface Coverage {
  /** The share of the question that the best source has, 0 … 1. */
  readonly value: number;
  /** The calibrated probability that the hits answer the question, 0 … 1. */
  readonly relevance: number;
  readonly covered: boolean;
  /** Words of the question that say what is asked about and occur in no hit. */
  readonly missing: readonly string[];
  /** Set if the question is about a year without a source: that year, and the years with one. */
  readonly otherYears: { readonly asked: number; readonly there: readonly number[] } | null;
}

export interface KnowledgeIndex {
  /** The content hash over the files, the model and the code that reads them. */
  readonly hash: string;
  readonly builtAt: string;
  /** The description of the base, if it has one. */
  readonly about: AboutBase | null;
  /** The vocabulary and the rules of its reviews. */
  readonly review: ReviewBase;
  /** The files of its folder: which were read, and which were left out and why. */
  readonly files: FilesRead;
  readonly sources: readonly Source[];
  /** The languages of its sources, the most frequent first. */
  readonly languages: readonly Language[];
  readonly passageCount: number;
  /** `lexical` or `lexical+dense:<model>`. */
  readonly retrieval: string;
  source(id: string): Source | undefined;
  /** Best first and deterministic, ties by id. It is only asynchronous because of the dense search. */
  search(query: string, options: SearchOptions): Promise<readonly Hit[]>;
  coverage(query: string, hits: readonly Hit[], options?: CoverageOptions): Coverage;
  /** Closes its model after the running searches; from then on it finds nothing. */
  close(): Promise<void>;
}
