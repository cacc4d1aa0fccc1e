/**
 * What every kind of document becomes: a flat list of units in reading order. Headings carry the tree by their level, items by
 * their depth. Nothing after a parser knows a file's syntax.
 */
export type Unit = Heading | Paragraph | Item | Row | Code | Definition | Note;

/** Where a unit stands in its original. */
interface Place {
  /** The page of a PDF or the slide of a presentation, counted from 1. */
  readonly page?: number;
  /** True for text that was read from a picture. */
  readonly ocr?: true;
}

export interface Heading extends Place {
  readonly kind: 'heading';
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
  /** The name that the original gives it, for a link to it. */
  readonly anchor?: string;
}

export interface Paragraph extends Place {
  readonly kind: 'paragraph';
  readonly text: string;
}

/** An item of a list. The unit before the first item, or the item that it is indented below, leads into it. */
export interface Item extends Place {
  readonly kind: 'item';
  /** 0 for the outermost list. */
  readonly depth: number;
  /** As a reader sees it in front of the text: `3.`, `b)`, `☑`; absent for a bullet. */
  readonly marker?: string;
  readonly text: string;
}

/** A row of a table, whose caption is a paragraph before it. `cells` has no empty cells. In a table of one column the cells have no head. */
export interface Row extends Place {
  readonly kind: 'row';
  readonly cells: readonly Cell[];
}

export interface Cell {
  /** Empty where the table has no heads. */
  readonly head: string;
  readonly text: string;
}

/** Code as it is written, with its line ends. */
export interface Code extends Place {
  readonly kind: 'code';
  readonly language?: string;
  readonly text: string;
}

export interface Definition extends Place {
  readonly kind: 'definition';
  readonly term: string;
  readonly text: string;
}

/** A footnote, or a remark set apart from the text. */
export interface Note extends Place {
  readonly kind: 'note';
  /** `Hinweis`, `Warning`, the footnote's mark; empty without one. */
  readonly label: string;
  readonly text: string;
}

/** A file as its parser gives it. Texts are what a reader sees: entities, emphasis and links are read, white space is squeezed. */
export interface Document {
  readonly units: readonly Unit[];
  /** The title that the document gives itself. Absent if it has none. */
  readonly title?: string;
  /** The document's own date of its text, `YYYY-MM`. */
  readonly stand?: string;
  /** `de` or `en`, where the document says so. */
  readonly lang?: 'de' | 'en';
  /** The address of its original on the web. */
  readonly url?: string;
  readonly tags?: readonly string[];
  /** What was left out by rule, and how often: running heads, navigation. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

/** A kind of file. To add one, write a file with such an object and one line in `kinds.ts`. */
export interface DocumentKind {
  /** The endings of the file names that it reads, in small letters and without the dot. */
  readonly extensions: readonly string[];
  /**
   * `onPart` is called when a part of a long work is done, a page that was read from its picture: the time for the next one counts anew.
   *
   * @throws {Unreadable} for what the file is not, is too much of, or keeps closed
   */
  parse(bytes: Uint8Array, path: string, onPart?: () => void): Document | Promise<Document>;
}

/** Why a file gives no document, in words for the person who put it there: `is encrypted`, `has no text`. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
