import type { Source } from '../source.ts';
import { chunk } from './chunk.ts';
import type { WordTable } from './word-table.ts';

/**
 * What a source contributes to an index, independent of other sources: its passages, and all searched words as numbers
 * of a `WordTable`, in consecutive rows.
 */
export interface SourceWords {
  /** The start and end of each passage in the text, two numbers each. */
  readonly spans: Uint32Array;
  readonly words: Uint32Array;
  /** Row `r` is `words.subarray(ends[r - 1], ends[r])`: title, section, answered lines, unanswered lines, passages. */
  readonly ends: Uint32Array;
  readonly asked: number;
  readonly unanswered: number;
  /** Whether it is a passage of a document: its section has the headings above it. */
  readonly isOfDocument: boolean;
}

/** The rows before the first line. */
const HEADS = 2;

export function readWords(source: Source, table: WordTable): SourceWords {
  const { text, lang, asked = [], unanswered = [] } = source;
  const words: number[] = [];
  const ends: number[] = [];
  const spans: number[] = [];
  const read = (row: string): void => {
    table.read(row, lang, words);
    ends.push(words.length);
  };
  read(source.title);
  read(source.section);
  for (const line of [...asked, ...unanswered]) {
    table.readLine(line, lang, words);
    ends.push(words.length);
  }
  for (const { start, end, leadIn } of chunk(source)) {
    spans.push(start, end);
    const body = text.slice(start, end);
    // The sentence that introduces a list belongs to its items.
    read(leadIn === null ? body : `${text.slice(leadIn.start, leadIn.end)} ${body}`);
  }
  return {
    spans: Uint32Array.from(spans),
    words: Uint32Array.from(words),
    ends: Uint32Array.from(ends),
    asked: asked.length,
    unanswered: unanswered.length,
    isOfDocument: source.units !== undefined,
  };
}

export const titleOf = (source: SourceWords): Uint32Array => rowOf(source, 0);

export const sectionOf = (source: SourceWords): Uint32Array => rowOf(source, 1);

export const askedOf = (source: SourceWords): Uint32Array[] => rowsOf(source, HEADS, source.asked);

export const unansweredOf = (source: SourceWords): Uint32Array[] =>
  rowsOf(source, HEADS + source.asked, source.unanswered);

export const bodiesOf = (source: SourceWords): Uint32Array[] =>
  rowsOf(source, HEADS + source.asked + source.unanswered, source.spans.length / 2);

function rowsOf(source: SourceWords, first: number, count: number): Uint32Array[] {
  return Array.from({ length: count }, (_, i) => rowOf(source, first + i));
}

function rowOf({ words, ends }: SourceWords, row: number): Uint32Array {
  return words.subarray(row === 0 ? 0 : ends[row - 1], ends[row]);
}
