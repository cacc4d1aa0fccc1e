import { sentencesIn } from '../sentences.ts';
import type { Source } from '../source.ts';

/** A range of a text, `text.slice(start, end)`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Chunk extends Span {
  /** The sentence that introduces the list in which this chunk begins: indexed with the chunk, not part of it. */
  readonly leadIn: Span | null;
}

/** A sentence or a piece of a very long one, with everything after the previous unit. */
interface Unit extends Span {
  readonly words: number;
  /** The index of the unit that introduces the list of this one. */
  readonly leadIn: number | null;
}

const TARGET_WORDS = 120;
const OVERLAP_WORDS = 30;
const LONGEST_UNIT = 160;
/** A shorter remainder is joined to the previous chunk. */
const SHORTEST_TAIL = 40;

/**
 * Cuts a text into overlapping chunks of about 120 words at the ends of sentences. Together they cover the text; the
 * sentence that introduces a list stays with the list's first item.
 */
export function chunk(source: Pick<Source, 'text' | 'units'>): Chunk[] {
  const units = unitsOf(source);
  const chunks: Chunk[] = [];
  for (let from = 0; from < units.length;) {
    const to = endOfChunk(units, from);
    const first = units[from]!;
    const lead = first.leadIn === null ? undefined : units[first.leadIn];
    chunks.push({
      start: first.start,
      end: units[to - 1]!.end,
      leadIn: lead === undefined ? null : { start: lead.start, end: lead.end },
    });
    if (to === units.length) break;
    from = startOfNext(units, from, to);
  }
  return chunks;
}

/** The end (exclusive) of the chunk that begins at unit `from`. */
function endOfChunk(units: readonly Unit[], from: number): number {
  let words = units[from]!.words;
  let to = from + 1;
  while (
    to < units.length &&
    words < TARGET_WORDS &&
    words + units[to]!.words <= TARGET_WORDS + OVERLAP_WORDS
  ) {
    words += units[to]!.words;
    to++;
  }
  let rest = 0;
  for (let unit = to; unit < units.length && rest < SHORTEST_TAIL; unit++) rest += units[unit]!.words;
  if (rest < SHORTEST_TAIL) return units.length;
  // A chunk never ends with the sentence that introduces what follows.
  return to - 1 > from && units[to]!.leadIn === to - 1 ? to - 1 : to;
}

/** The start of the next chunk: as many whole units back as fit into the overlap, but always a step forward. */
function startOfNext(units: readonly Unit[], from: number, to: number): number {
  let start = to;
  let words = 0;
  while (start - 1 > from && words + units[start - 1]!.words <= OVERLAP_WORDS) {
    start--;
    words += units[start]!.words;
  }
  return start;
}

/** The units of a text. Only white space lies between units: headings and bullets belong to the next sentence. */
function unitsOf(source: Pick<Source, 'text' | 'units'>): Unit[] {
  const { text } = source;
  const sentences = sentencesIn(source);
  const units: Unit[] = [];
  /** The last unit of each sentence, because a list is introduced by the end of a long sentence. */
  const lastUnit: number[] = [];
  let at = 0;
  for (const [index, sentence] of sentences.entries()) {
    const end = index === sentences.length - 1 ? text.length : sentence.start + sentence.text.length;
    const leadIn = sentence.lead === null ? null : (lastUnit[sentence.lead] ?? null);
    units.push(...piecesOf(text, at, end).map((piece) => ({ ...piece, leadIn })));
    lastUnit.push(units.length - 1);
    at = end;
  }
  return sentences.length === 0
    ? piecesOf(text, 0, text.length).map((piece) => ({ ...piece, leadIn: null }))
    : units;
}

/** A range without surrounding white space, cut between words into pieces of equal length if it is too long. */
function piecesOf(text: string, from: number, to: number): (Span & { words: number })[] {
  const stretch = text.slice(from, to);
  const count = wordsIn(stretch);
  if (count === 0) return [];
  if (count <= LONGEST_UNIT) {
    const start = from + (stretch.length - stretch.trimStart().length);
    return [{ start, end: from + stretch.trimEnd().length, words: count }];
  }
  const words = [...stretch.matchAll(/\S+/gu)];
  const size = Math.ceil(words.length / Math.max(1, Math.ceil(words.length / LONGEST_UNIT)));
  const pieces: (Span & { words: number })[] = [];
  for (let first = 0; first < words.length; first += size) {
    const piece = words.slice(first, first + size);
    const last = piece.at(-1)!;
    pieces.push({
      start: from + piece[0]!.index,
      end: from + last.index + last[0].length,
      words: piece.length,
    });
  }
  return pieces;
}

/** How many words a text has between white space, as `\\S+` matches them. */
function wordsIn(text: string): number {
  let count = 0;
  let isInWord = false;
  for (let at = 0; at < text.length; at++) {
    const isBlank = isWhiteSpace(text.charCodeAt(at));
    if (!isBlank && !isInWord) count++;
    isInWord = !isBlank;
  }
  return count;
}

const LAST_ASCII = 127;
const BLANK = /\s/u;
const isWhiteSpace = (code: number): boolean =>
  code <= LAST_ASCII
    ? code === 0x20 || (code >= 0x09 && code <= 0x0d)
    : BLANK.test(String.fromCharCode(code));
