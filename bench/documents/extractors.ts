/** Documents as programs that have nothing to do with ours read them: pandoc what it knows, poppler's `pdftotext` PDFs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { extensionOf } from '../../kb/documents/kinds.ts';

const execute = promisify(execFile);
const MOST_OUTPUT = 2 ** 28;

/** What pandoc calls the format. What is written in HTML within Markdown is read as HTML, in a second step. */
const FORMATS: Readonly<Record<string, string>> = {
  md: 'gfm+footnotes+yaml_metadata_block',
  markdown: 'gfm+footnotes+yaml_metadata_block',
  html: 'html',
  htm: 'html',
  docx: 'docx',
  rst: 'rst',
};

/** Whether another program than ours reads a file of this name. */
export const isExtracted = (path: string): boolean => {
  const extension = extensionOf(path);
  return extension === 'pdf' || FORMATS[extension] !== undefined;
};

export interface Extracted {
  /** Paragraphs, headings, items, cells and lines of code, each as text. */
  readonly paragraphs: readonly string[];
  /** False where several of them may stand in one. */
  readonly areBlocks: boolean;
}

export async function extracted(path: string): Promise<Extracted> {
  const isPdf = extensionOf(path) === 'pdf';
  return { paragraphs: isPdf ? await paragraphsOfPdf(path) : await blocksIn(path), areBlocks: !isPdf };
}

async function blocksIn(path: string): Promise<string[]> {
  const extension = extensionOf(path);
  const format = FORMATS[extension]!;
  const tree = await run('pandoc', ['-f', format, '-t', format.startsWith('gfm') ? 'html' : 'json', path]);
  if (!format.startsWith('gfm')) return blocksOf(tree);
  const reading = execute('pandoc', ['-f', 'html', '-t', 'json'], { maxBuffer: MOST_OUTPUT });
  reading.child.stdin!.end(tree);
  return blocksOf((await reading).stdout);
}

const run = async (program: string, parameters: readonly string[]): Promise<string> =>
  (await execute(program, parameters, { maxBuffer: MOST_OUTPUT })).stdout;

/** `pdftotext` has empty lines between paragraphs, and a form feed between pages. */
const paragraphsOfPdf = async (path: string): Promise<string[]> =>
  (await run('pdftotext', [path, '-']))
    .replaceAll('\f', '\n\n')
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.replaceAll(/\s+/gu, ' ').trim());

/** An element of pandoc's tree of a document. */
interface Element {
  readonly t: string;
  readonly c?: unknown;
}

const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && typeof (value as Element).t === 'string';

function blocksOf(json: string): string[] {
  const found: string[] = [];
  /** Blocks stand in lists of every depth: items, cells, definitions. */
  function walk(value: unknown): void {
    if (Array.isArray(value)) {
      if (value.some((each) => isElement(each) && INLINE.has(each.t))) add(value);
      else value.forEach(walk);
    } else if (isElement(value)) {
      if (value.t === 'CodeBlock') found.push(...(value.c as [unknown, string])[1].split('\n'));
      else if (value.t !== 'RawBlock') walk(value.c);
    }
  }
  function add(inlines: readonly unknown[]): void {
    const notes: unknown[] = [];
    const text = textOf(inlines, notes).replaceAll(/\s+/gu, ' ').trim();
    if (text !== '') found.push(text);
    notes.forEach(walk);
  }
  walk((JSON.parse(json) as { readonly blocks: unknown }).blocks);
  return found;
}

/** What stands within a line. */
const INLINE = new Set(
  'Str Emph Underline Strong Strikeout Superscript Subscript SmallCaps Quoted Cite Code Space SoftBreak LineBreak Math RawInline Link Image Note Span'.split(
    ' ',
  ),
);

function textOf(value: unknown, notes: unknown[]): string {
  if (Array.isArray(value)) return value.map((each) => textOf(each, notes)).join('');
  if (!isElement(value)) return '';
  switch (value.t) {
    case 'Str':
      return value.c as string;
    case 'Space':
    case 'SoftBreak':
    case 'LineBreak':
      return ' ';
    case 'Code':
    case 'Math':
      return (value.c as [unknown, string])[1];
    case 'Note':
      notes.push(value.c);
      return '';
    case 'RawInline':
    case 'Image':
      return '';
    case 'Link':
    case 'Span':
    case 'Cite':
    case 'Quoted':
      return textOf((value.c as [unknown, unknown])[1], notes);
    default:
      return textOf(value.c, notes);
  }
}
