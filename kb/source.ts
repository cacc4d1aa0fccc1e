/**
 * The knowledge base for all other code: sources, and an immutable index that finds them. The same index gives equal
 * answers to equal questions in every process.
 */
export type Language = 'de' | 'en';

/** The range of a unit in the text of its source: `text.slice(start, end)`, without the bullet of an item. */
export interface UnitSpan {
  /**
   * `heading` is the heading of the passage, which introduces lists, tables and code that have no other introduction.
   */
  readonly kind: 'heading' | 'paragraph' | 'item' | 'row' | 'code' | 'definition' | 'note';
  readonly start: number;
  readonly end: number;
  /**
   * The index of the unit that introduces this item's list, or of the heading that introduces this unit; `null` if
   * there is none.
   */
  readonly lead: number | null;
  /** Whether the unit is an item with only a link to another page or place of the folder, which says nothing itself. */
  readonly points?: true;
}

/** The target of a citation: a file of the base with front matter, or a passage of a document. */
export interface Source {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  /** The year and month of the text's last change, `YYYY-MM`. */
  readonly stand: string;
  /** The short name of the publication without the year (`SVBezGrV`). */
  readonly work: string;
  readonly lang: Language;
  /** The calendar year for which the source's values are valid, if its id or title names one; `null` otherwise. */
  readonly year: number | null;
  /** The web address of the original, `http` or `https`. Absent if unknown. */
  readonly url?: string;
  /** The text below the front matter, with control characters replaced; for a document the text of the passage. */
  readonly text: string;
  /** The units of the text. Absent for a file with front matter, whose text is split by `sentences.ts`. */
  readonly units?: readonly UnitSpan[];
  /** For a passage of a document: its file, relative to the base's folder, and its page, counted from 1. */
  readonly path?: string;
  readonly page?: number;
  /** Whether the month is only that of the file's last change. Then no answer mentions it. */
  readonly undated?: true;
  /**
   * Questions that the source answers, in people's own words. They are never quoted or shown. Absent if there are none.
   */
  readonly asked?: readonly string[];
  /** Related questions that neither this nor another source answers. They are never searched, quoted or shown. */
  readonly unanswered?: readonly string[];
  /**
   * Whether only reviews use the source, because it holds for a later time than the base: reviews cite it, and no
   * search finds it.
   */
  readonly forReviews?: true;
}

/**
 * A range of one source, about 120 words, which is the unit that a search scores. `text` is a substring of the source's
 * text.
 */
export interface Passage {
  readonly source: Source;
  readonly text: string;
  /** The offset of `text` in the source's text. */
  readonly start: number;
}
