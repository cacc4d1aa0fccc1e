/**
 * What the rest of the house sees of the knowledge base: sources, and an immutable index that finds them.
 * The same answer for the same question on the same index, in every process.
 */
export type Language = 'de' | 'en';

/** The span of a unit in the text of its source: `text.slice(start, end)`, without the bullet of an item. */
export interface UnitSpan {
  /** `heading`: that of the passage, which leads into lists, tables and code that nothing else leads into. */
  readonly kind: 'heading' | 'paragraph' | 'item' | 'row' | 'code' | 'definition' | 'note';
  readonly start: number;
  readonly end: number;
  /** Number of the unit that leads into the list of an item, or the heading that leads into this one; `null` where none does. */
  readonly lead: number | null;
}

/** What a citation points to: a file of the base with its own front matter, or a passage of a document. */
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
  /** The address of its original on the web, `http` or `https`. Absent if nobody gave one. */
  readonly url?: string;
  /** The text below the front matter, control characters replaced; of a document that of the passage. */
  readonly text: string;
  /** What its text consists of. Absent for a file with its own front matter, whose text says it itself (`sentences.ts`). */
  readonly units?: readonly UnitSpan[];
  /** For a passage of a document: its file, relative to the base's folder, and its page there, counted from 1. */
  readonly path?: string;
  readonly page?: number;
  /** True if the month comes from the file's own date, because nobody gave one: no answer mentions it. */
  readonly undated?: true;
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
