import type { AboutBase } from './base/about.ts';
import type { FilesRead } from './base/load.ts';
import type { ReviewBase } from './review/review-base.ts';
import type { Language, Source } from './source.ts';
import type { Hit, SearchOptions } from './hit.ts';

export interface CoverageOptions {
  /** Whether the part continues a part that the base answers, which makes an answer likelier. */
  readonly goesOn?: boolean;
  /** The source that should answer the part, if it is not the first. */
  readonly by?: Source;
}

/** How well the base answers a question. */
export interface Coverage {
  /** The share of the question that the best source contains, 0 … 1. */
  readonly value: number;
  /** The calibrated probability that the hits answer the question, 0 … 1. */
  readonly relevance: number;
  readonly covered: boolean;
  /** Words of the question's subject that occur in no hit. */
  readonly missing: readonly string[];
  /** Set if the question is about a year without a source: that year, and the years with a source. */
  readonly otherYears: { readonly asked: number; readonly there: readonly number[] } | null;
}

export interface KnowledgeIndex {
  /** The content hash over the files, the model and the code that reads the files. */
  readonly hash: string;
  readonly builtAt: string;
  /** The description of the base, if it has one. */
  readonly about: AboutBase | null;
  /** The vocabulary and the rules for reviews. */
  readonly review: ReviewBase;
  /** The files of the base's folder: which were read, and which were left out and why. */
  readonly files: FilesRead;
  readonly sources: readonly Source[];
  /** The languages of the base's sources, the most frequent first. */
  readonly languages: readonly Language[];
  readonly passageCount: number;
  /** How passages are found: `lexical`, by words alone, or `lexical+dense:<model>`. */
  readonly retrieval: string;
  source(id: string): Source | undefined;
  /**
   * The hits of a search, best first and deterministic, ties by id. It is asynchronous only because of the dense
   * search.
   */
  search(query: string, options: SearchOptions): Promise<readonly Hit[]>;
  coverage(query: string, hits: readonly Hit[], options?: CoverageOptions): Coverage;
  /** Closes the embedding model after the running searches. Later searches find nothing. */
  close(): Promise<void>;
}
