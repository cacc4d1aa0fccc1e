import type { DocumentKind } from './unit.ts';

/** A kind of document by its file extensions. Its parser is only loaded in the process that parses. */
export interface KindEntry {
  /** The extensions of this kind; no other kind has them. */
  readonly extensions: readonly string[];
  /** Whether files of this kind are text without any statement of their encoding, unlike web pages. */
  readonly isPlainText?: true;
  /** Whether no program writes such a file without any bytes, even if it has no text. */
  readonly isPacked?: true;
  load(): Promise<DocumentKind>;
}

/** Every kind of file that is read. */
export const KINDS: readonly KindEntry[] = [
  {
    extensions: ['md', 'markdown', 'mdx', 'mdown'],
    isPlainText: true,
    load: async () => (await import('./markdown.ts')).markdown,
  },
  {
    extensions: ['adoc', 'asciidoc', 'asc'],
    isPlainText: true,
    load: async () => (await import('./asciidoc.ts')).asciidoc,
  },
  {
    extensions: ['rst', 'rest'],
    isPlainText: true,
    load: async () => (await import('./rst.ts')).rst,
  },
  {
    extensions: ['html', 'htm', 'xhtml'],
    load: async () => (await import('./html.ts')).html,
  },
  {
    extensions: ['txt', 'text'],
    isPlainText: true,
    load: async () => (await import('./text.ts')).text,
  },
  {
    extensions: ['csv', 'tsv'],
    isPlainText: true,
    load: async () => (await import('./csv.ts')).csv,
  },
  { extensions: ['pdf'], isPacked: true, load: async () => (await import('./pdf.ts')).pdf },
  { extensions: ['docx', 'docm'], isPacked: true, load: async () => (await import('./docx.ts')).docx },
  {
    extensions: ['xlsx', 'xlsm'],
    isPacked: true,
    load: async () => (await import('./xlsx.ts')).xlsx,
  },
  { extensions: ['eml'], load: async () => (await import('./eml.ts')).eml },
  { extensions: ['pptx', 'pptm'], isPacked: true, load: async () => (await import('./pptx.ts')).pptx },
];

const KIND_OF = new Map(KINDS.flatMap((kind) => kind.extensions.map((extension) => [extension, kind])));

/** Office documents that cannot be read, with advice for the person who added one. */
const CLOSED: Readonly<Record<string, string>> = {
  doc: 'is an old Word file: save it as .docx',
  xls: 'is an old Excel file: save it as .xlsx',
  ppt: 'is an old PowerPoint file: save it as .pptx',
  rtf: 'is a rich text file: save it as .docx',
  odt: 'is an OpenDocument text: save it as .docx',
  ods: 'is an OpenDocument sheet: save it as .xlsx',
  odp: 'is an OpenDocument presentation: save it as .pptx',
  msg: 'is a mail of Outlook: save it as .eml',
  pages: 'is a Pages document: export it as .docx',
  numbers: 'is a Numbers sheet: export it as .xlsx',
  key: 'is a Keynote presentation: export it as .pptx',
  epub: 'is an e-book, which is not read',
};

/** The extension of a path in lower case and without the dot; empty if there is none. */
export const extensionOf = (path: string): string =>
  /\.(?<extension>[^./]+)$/u.exec(path)?.groups?.['extension']?.toLowerCase() ?? '';

/** The kind of a file with this name; `undefined` if it is not read. */
export const kindOf = (path: string): KindEntry | undefined => KIND_OF.get(extensionOf(path));

/** Whether a file with this name is text that does not say in which encoding. */
export const isPlainText = (path: string): boolean => kindOf(path)?.isPlainText === true;

/** Why a document of a known kind is not read; `undefined` for other files. */
export const closedKindOf = (path: string): string | undefined => CLOSED[extensionOf(path)];
