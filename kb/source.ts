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
