/**
 * The form that every kind of document is converted to: a flat list of units in reading order, in which headings have a
 * level and items a depth. Only the parser knows a file's syntax.
 */
export type Unit = Heading | Paragraph | Item | Row | Code | Definition | Note;

/** The place of a unit in the original. */
interface Place {
  /** The page of a PDF or the slide of a presentation, counted from 1. */
  readonly page?: number;
  /** Whether the text was read from a picture. */
  readonly ocr?: true;
}

export interface Heading extends Place {
  readonly kind: 'heading';
  /** The level of the heading, 1 to 6. */
  readonly level: number;
  readonly text: string;
  /** The anchor of the heading in the original, for links. */
  readonly anchor?: string;
}

interface Paragraph extends Place {
  readonly kind: 'paragraph';
  readonly text: string;
}

/** An item of a list. The unit before the first item introduces it, or the less indented item above. */
interface Item extends Place {
  readonly kind: 'item';
  /** The depth of its list; 0 for the outermost. */
  readonly depth: number;
  /** The visible marker: `3.`, `b)`, `☑`; absent for a bullet. */
  readonly marker?: string;
  readonly text: string;
  /** Whether it is only a link to another page or place of the folder. */
  readonly points?: true;
}

/** A row of a table, without its empty cells. A table with a single column has no heads. */
export interface Row extends Place {
  readonly kind: 'row';
  /** The short lines above the table. Each is also a paragraph before the table's first row. */
  readonly caption?: string;
  /** Whether it is the first row of a table directly below another table. */
  readonly begins?: true;
  readonly cells: readonly Cell[];
}

export interface Cell {
  /** The head of the column; empty if the table has no heads. */
  readonly head: string;
  readonly text: string;
}

/** Code with its line ends. */
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

/** A footnote, or a remark apart from the text. */
export interface Note extends Place {
  readonly kind: 'note';
  /** The label: `Hinweis`, `Warning`, or the mark of the footnote; empty without one. */
  readonly label: string;
  readonly text: string;
}

/** Makes notes of the running text of a remark. Tables, lists and code in it stay as they are. */
export const asNote = (unit: Unit, label: string): Unit =>
  unit.kind === 'paragraph' ? { kind: 'note', label, text: unit.text } : unit;

/** The result of a parser. Texts have no markup, decoded entities and single spaces, as a reader sees them. */
export interface Document {
  readonly units: readonly Unit[];
  /** The document's own title, if it has one. */
  readonly title?: string;
  /** The document's own date, `YYYY-MM`. */
  readonly stand?: string;
  /** `de` or `en`, if the document states it. */
  readonly lang?: 'de' | 'en';
  /** The web address of the original. */
  readonly url?: string;
  readonly tags?: readonly string[];
  /** Whether its pages are slides: no text continues from one to the next. */
  readonly slides?: true;
  /** What was left out by rule, such as running heads or navigation, and how often. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

/** The result of a parser before it is checked. Fields that the document does not have are empty or missing. */
type Found = { readonly [Field in keyof Document]: Document[Field] | undefined } & Pick<Document, 'units'>;

/**
 * Makes a document of a parser's result.
 *
 * @throws {Unreadable} if the document has no text.
 */
export function documentOf({
  units,
  title,
  stand,
  lang,
  url,
  tags = [],
  slides,
  leftOut = {},
}: Found): Document {
  // A sheet may be named by a space, and a heading may be a picture.
  const told = units.filter((unit) => (unit.kind === 'row' ? unit.cells.length > 0 : unit.text !== ''));
  if (told.length === 0) throw new Unreadable('has no text');
  return {
    units: told,
    ...(title === undefined || title === '' ? {} : { title }),
    ...(stand === undefined ? {} : { stand }),
    ...(lang === undefined ? {} : { lang }),
    ...(url === undefined ? {} : { url }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(slides === undefined ? {} : { slides }),
    ...(Object.keys(leftOut).length === 0 ? {} : { leftOut }),
  };
}

/** The language of a tag such as `de-AT`, if it is German or English. */
export const langOf = (tag: string): Document['lang'] =>
  /^de\b/iu.test(tag) ? 'de' : /^en\b/iu.test(tag) ? 'en' : undefined;

/** The address if it begins with http or https. */
export const webAddress = (url: string | undefined): string | undefined =>
  url !== undefined && /^https?:\/\//iu.test(url) && URL.canParse(url) ? url : undefined;

/** A kind of document. To add one, write a file with such an object and one line in `kinds.ts`. */
export interface DocumentKind {
  /** The file extensions that it reads, in lower case and without the dot. */
  readonly extensions: readonly string[];
  /**
   * Reads a file. `onPart` is called after each part of long work, such as a page that was read from its picture; the
   * time limit then starts again.
   *
   * @throws {Unreadable} if the file is of another kind, exceeds a limit, or is encrypted.
   */
  parse(bytes: Uint8Array, path: string, onPart?: () => void): Document | Promise<Document>;
}

/** Why a file has no document, for the person who added it: `is encrypted`, `has no text`. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
