import type { DocumentKind } from './unit.ts';

/** A kind by the endings of its files, which the folder is searched for. Its parser is loaded in the process that parses alone. */
export interface KindEntry {
  /** The endings that the kind itself has. */
  readonly extensions: readonly string[];
  load(): Promise<DocumentKind>;
}

/** Every kind of file that is read. */
export const KINDS: readonly KindEntry[] = [
  {
    extensions: ['md', 'markdown', 'mdx', 'mdown'],
    load: async () => (await import('./markdown.ts')).markdown,
  },
  {
    extensions: ['adoc', 'asciidoc', 'asc'],
    load: async () => (await import('./asciidoc.ts')).asciidoc,
  },
  {
    extensions: ['rst', 'rest'],
    load: async () => (await import('./rst.ts')).rst,
  },
  {
    extensions: ['html', 'htm', 'xhtml'],
    load: async () => (await import('./html.ts')).html,
  },
  {
    extensions: ['txt', 'text'],
    load: async () => (await import('./text.ts')).text,
  },
  {
    extensions: ['csv', 'tsv'],
    load: async () => (await import('./csv.ts')).csv,
  },
  { extensions: ['pdf'], load: async () => (await import('./pdf.ts')).pdf },
  { extensions: ['docx', 'docm'], load: async () => (await import('./docx.ts')).docx },
  {
    extensions: ['xlsx', 'xlsm'],
    load: async () => (await import('./xlsx.ts')).xlsx,
  },
  { extensions: ['eml'], load: async () => (await import('./eml.ts')).eml },
  { extensions: ['pptx', 'pptm'], load: async () => (await import('./pptx.ts')).pptx },
];

const KIND_OF = new Map(KINDS.flatMap((kind) => kind.extensions.map((extension) => [extension, kind])));

/** Documents of an office that are not read, and what the person who put one there can do. */
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

/** The ending of a path in small letters and without the dot; empty if there is none. */
export const extensionOf = (path: string): string =>
  /\.(?<extension>[^./]+)$/u.exec(path)?.groups?.['extension']?.toLowerCase() ?? '';

/** What reads a file of this name; `undefined` where nothing does. */
export const kindOf = (path: string): KindEntry | undefined => KIND_OF.get(extensionOf(path));

/** Why a document of a known kind is not read; `undefined` for what is read, or is no document. */
export const closedKindOf = (path: string): string | undefined => CLOSED[extensionOf(path)];
