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
  /** The text below the front matter, control characters replaced. */
  readonly text: string;
  /** How people ask for it, in their own words: never quoted, never shown. Absent where nobody has written any. */
  readonly asked?: readonly string[];
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
  /** For stems of the question those that the base's synonyms give for them: how the sources put what was asked. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]>;
}

export interface SearchOptions {
  /** Sources to return, best first. */
  topK: number;
  /** The one wider search after a first that did not cover the question: full expansion, deeper lists. */
  wide?: boolean;
}

/** How far the base speaks of what was asked, against thresholds calibrated for this base when it was indexed. */
export interface Coverage {
  /** 0 … 1 */
  readonly value: number;
  readonly covered: boolean;
  /** What was asked for and stands in no passage found: names, numbers, years, content words. */
  readonly missing: readonly string[];
}

export interface KnowledgeIndex {
  /** Content hash over files, settings and index format. */
  readonly hash: string;
  readonly builtAt: string;
  readonly sources: readonly Source[];
  readonly passageCount: number;
  /** `lexical` or `lexical+dense:<model>`. */
  readonly retrieval: string;
  source(id: string): Source | undefined;
  /** Best first; deterministic, ties by id. Asynchronous for the dense leg alone. */
  search(query: string, options: SearchOptions): Promise<readonly Hit[]>;
  coverage(query: string, hits: readonly Hit[]): Coverage;
}
