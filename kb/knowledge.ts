import type { AboutBase } from './base/about.ts';
import type { FilesRead } from './base/load.ts';
import type { ReviewBase } from './review/load.ts';
import type { AskedWord } from './ranking/asked.ts';
import type { Features } from './ranking/features.ts';
import type { LineFits } from './ranking/ways.ts';

/**
 * What the rest of the house sees of the knowledge base: sources, and an immutable index that finds them.
 * The same answer for the same question on the same index, in every process.
 */
export type Language = 'de' | 'en';

/** One Markdown file of the base: what a citation points to. */
export interface Source {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  /** Year and month of the text's last change, `YYYY-MM`. */
  readonly stand: string;
  /** Short name of the publication, the family without the year (`SVBezGrV`). */
  readonly work: string;
  readonly lang: Language;
  /** Calendar year that its values are valid for, where id or title name one; `null` otherwise. */
  readonly year: number | null;
  /** Where its original is on the web, `http` or `https`. Absent where nobody has said. */
  readonly url?: string;
  /** The text below the front matter, control characters replaced. */
  readonly text: string;
  /** How people ask for it, in their own words: never quoted, never shown. Absent where nobody has written any. */
  readonly asked?: readonly string[];
  /** What people ask near it that it does not answer, and no other source either: never searched, quoted or shown. */
  readonly unanswered?: readonly string[];
}

/** A stretch of one source, about 120 words: the unit that is scored. `text` is a substring of the source's. */
export interface Passage {
  readonly source: Source;
  readonly text: string;
  /** Offset of `text` in the source's text. */
  readonly start: number;
}

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

/** How a source that was found fits the question. */
export interface Match {
  /**
   * Content words of the question, the same for all hits of one search: `weight` is the share of it that each is, `known` is
   * also what the base's synonyms know.
   */
  readonly words: readonly AskedWord[];
  /** How well title, passages and lines of the source have each word, 0 … 1. */
  readonly found: readonly number[];
  /** How well the best of all hits of the search has each word. */
  readonly anywhere: readonly number[];
  /** Share of the question that its title has. */
  readonly inTitle: number;
  /** It says how it is asked for. */
  readonly lined: boolean;
  /** How the question lies between lines that it answers and lines that none of the hits does. */
  readonly lineFits: LineFits;
  /** What the order of the hits rests on. */
  readonly features: Features;
  /** Likelihood that this one is meant, among the hits of the search, 0 … 1. */
  readonly share: number;
  /** Score of the search, which the hit's place may have lost. */
  readonly score: number;
  /** The question asks for a fact of the asker's own. */
  readonly own: boolean;
}

export interface SearchOptions {
  /** Sources to return, best first. */
  topK: number;
  /** Not a question, but what a review holds its facts against: it stays in the order of the search. */
  forFact?: boolean;
  /** It is a part of a question, and this is what was found for all of that: nothing else is looked for. */
  among?: readonly Hit[];
}

export interface CoverageOptions {
  /** It goes on from something that the base answers: so it is likelier to be answered too. */
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
  /** Where the question is about a year that there is nothing for: that year, and the years that there is something for. */
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
  /** Of its folder: what was taken in, and what was left out and why. */
  readonly files: FilesRead;
  readonly sources: readonly Source[];
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
