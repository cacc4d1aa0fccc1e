import type { Source } from '../source.ts';
import { chunk } from './chunk.ts';
import { GrowingNumbers } from './growing.ts';
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
  /** Whether the source is a passage of a document, whose section has the headings above the passage. */
  readonly isOfDocument: boolean;
}

/** A range of `words`. */
export interface Row {
  readonly from: number;
  readonly to: number;
}

/** The number of rows before the first line: title and section. */
const HEADS = 2;

/** A source without words, for a source that no search finds. */
const NOT_SEARCHED: SourceWords = {
  spans: new Uint32Array(),
  words: new Uint32Array(),
  ends: new Uint32Array(HEADS),
  asked: 0,
  unanswered: 0,
  isOfDocument: false,
};

/** Reused for each source. */
const words = new GrowingNumbers();
const ends = new GrowingNumbers();
const spans = new GrowingNumbers();

/** The words of a source, in arrays that are reused for the next source. */
export function readWords(source: Source, table: WordTable): SourceWords {
  if (source.forReviews === true) return NOT_SEARCHED;
  const { text, lang, asked = [], unanswered = [] } = source;
  for (const numbers of [words, ends, spans]) numbers.length = 0;
  const read = (row: string): void => {
    table.read(row, lang, words);
    ends.push(words.length);
  };
  read(source.title);
  read(source.section);
  table.readLines([...asked, ...unanswered], lang, words, ends);
  for (const { start, end, leadIn } of chunk(source)) {
    spans.push(start);
    spans.push(end);
    const body = text.slice(start, end);
    // The sentence that introduces a list belongs to its items.
    read(leadIn === null ? body : `${text.slice(leadIn.start, leadIn.end)} ${body}`);
  }
  return {
    spans: spans.view(),
    words: words.view(),
    ends: ends.view(),
    asked: asked.length,
    unanswered: unanswered.length,
    isOfDocument: source.units !== undefined,
  };
}

/** A copy that does not share its arrays. */
export const copied = (source: SourceWords): SourceWords => ({
  ...source,
  spans: source.spans.slice(),
  words: source.words.slice(),
  ends: source.ends.slice(),
});

export const titleOf = (source: SourceWords): Row => rowOf(source, 0);

export const sectionOf = (source: SourceWords): Row => rowOf(source, 1);

/** The words of all answered lines. */
export const askedOf = (source: SourceWords): Row => rowsOf(source, HEADS, source.asked);

/** The words of all unanswered lines. */
export const unansweredOf = (source: SourceWords): Row =>
  rowsOf(source, HEADS + source.asked, source.unanswered);

export const askedLinesOf = (source: SourceWords): Generator<Row> => eachRow(source, HEADS, source.asked);

export const unansweredLinesOf = (source: SourceWords): Generator<Row> =>
  eachRow(source, HEADS + source.asked, source.unanswered);

export const bodiesOf = (source: SourceWords): Generator<Row> =>
  eachRow(source, HEADS + source.asked + source.unanswered, source.spans.length / 2);

function* eachRow(source: SourceWords, first: number, count: number): Generator<Row> {
  for (let row = first; row < first + count; row++) yield rowOf(source, row);
}

const rowOf = (source: SourceWords, row: number): Row => rowsOf(source, row, 1);

const rowsOf = ({ ends }: SourceWords, first: number, count: number): Row => ({
  from: first === 0 ? 0 : ends[first - 1]!,
  to: ends[first + count - 1]!,
});
