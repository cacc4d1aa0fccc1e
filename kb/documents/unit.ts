/**
 * What every kind of document becomes: a flat list of units in reading order, in which headings have a level and items
 * a depth. Only the parser knows a file's syntax.
 */
export type Unit = Heading | Paragraph | Item | Row | Code | Definition | Note;

/** The place of a unit in the original. */
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
  /** The anchor of the heading in the original, for links. */
  readonly anchor?: string;
}

interface Paragraph extends Place {
  readonly kind: 'paragraph';
  readonly text: string;
}

/** An item of a list, introduced by the unit before the first item, or by the item above that is less indented. */
interface Item extends Place {
  readonly kind: 'item';
  /** 0 for the outermost list. */
  readonly depth: number;
  /** The visible marker: `3.`, `b)`, `☑`; absent for a bullet. */
  readonly marker?: string;
  readonly text: string;
  /** True if it is only a link to another page or place of the folder. */
  readonly points?: true;
}

/** A row of a table, without its empty cells. One column alone has no heads. */
export interface Row extends Place {
  readonly kind: 'row';
  /** The short lines above the table, each of which is a paragraph before its first row, too. */
  readonly caption?: string;
  readonly cells: readonly Cell[];
}

export interface Cell {
  /** Empty if the table has no heads. */
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
  /** `Hinweis`, `Warning`, or the mark of the footnote; empty without one. */
  readonly label: string;
  readonly text: string;
}

/** Turns the running text of a remark into a note. Tables, lists and code in it stay as they are. */
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
  /** Its pages are slides: no text goes on from one to the next. */
  readonly slides?: true;
  /** What was left out by rule, and how often: running heads, navigation. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

/** What a parser has found. What the document does not state is empty or missing. */
type Found = { readonly [Field in keyof Document]: Document[Field] | undefined } & Pick<Document, 'units'>;

/** @throws {Unreadable} where the document has no text */
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

/** The language that a tag such as `de-AT` names, if it is one of ours. */
export const langOf = (tag: string): Document['lang'] =>
  /^de\b/iu.test(tag) ? 'de' : /^en\b/iu.test(tag) ? 'en' : undefined;

/** The address if it is one of the web. */
export const webAddress = (url: string | undefined): string | undefined =>
  url !== undefined && /^https?:\/\//iu.test(url) && URL.canParse(url) ? url : undefined;

/** A kind of document. To add one, write a file with such an object and one line in `kinds.ts`. */
export interface DocumentKind {
  /** The file extensions that it reads, in lower case and without the dot. */
  readonly extensions: readonly string[];
  /**
   * `onPart` is called after each part of long work, such as a page that was read from its picture; the time limit then
   * starts again.
   *
   * @throws {Unreadable} for what the file is not, is too much of, or keeps closed
   */
  parse(bytes: Uint8Array, path: string, onPart?: () => void): Document | Promise<Document>;
}

/** Why a file has no document, for the person who added it: `is encrypted`, `has no text`. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
