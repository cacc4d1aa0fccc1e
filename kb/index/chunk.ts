/** A stretch of a text, `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Chunk extends Span {
  /** The sentence that introduces a list this chunk starts in the middle of: indexed with it, not part of it. */
  readonly leadIn: Span | null;
}

/** A sentence, or a list item's sentence with what introduces the list. */
interface Unit extends Span {
  readonly words: number;
  /** Index of the unit that introduces the list this one is an item of. */
  readonly leadIn: number | null;
}

const TARGET_WORDS = 120;
const OVERLAP_WORDS = 30;
const LONGEST_UNIT = 160;
/** A remainder shorter than this stays with the chunk before it. */
const SHORTEST_TAIL = 40;

const LIST_ITEM = /^[ \t]*(?:[-*•–]|\d{1,3}[a-z]?[.)]|[a-z]{1,2}[.)])[ \t]+\S/u;
const SENTENCE_END = /[.!?…][»"“”’)\]]*\s+(?=[\p{Lu}\p{N}„"“»(§[])/gu;
/** What ends in a full stop and ends no sentence: usual abbreviations, initials, ordinals. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|\d{1,2}|z\. ?B|d\. ?h|i\. ?d\. ?R|u\. ?a|Abs|Art|Nr|Nrn|Bst|lit|Buchst|Satz|Ziff|vgl|bzw|ggf|usw|etc|sog|ca|inkl|evtl|St|Dr|Prof|Mr|Mrs|Ms|Jr|Sr|No|vs|Inc|Ltd|Co|Corp|Vol|Fig|Gen|Gov|Sen|Rep|Bd|Jan|Feb|Mär|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Okt|Oct|Nov|Dez|Dec|BGBl|Hs|Halbs)\.$/u;

/**
 * Cuts a text into overlapping chunks of about 120 words on sentence borders. Every chunk is a stretch of the text,
 * together they cover it; the sentence that introduces a list stays with the list's first item.
 */
export function chunk(text: string): Chunk[] {
  const units = unitsOf(text);
  const chunks: Chunk[] = [];
  for (let from = 0; from < units.length;) {
    const to = lastUnit(units, from);
    const first = units[from]!;
    const leadIn = first.leadIn === null ? null : units[first.leadIn]!;
    chunks.push({
      start: first.start,
      end: units[to - 1]!.end,
      leadIn: leadIn === null ? null : { start: leadIn.start, end: leadIn.end },
    });
    if (to === units.length) break;
    from = overlapStart(units, from, to);
  }
  return chunks;
}

/** End (exclusive) of the chunk that starts at unit `from`. */
function lastUnit(units: readonly Unit[], from: number): number {
  let words = 0;
  let to = from;
  while (to < units.length && (to === from || words + units[to]!.words <= TARGET_WORDS + OVERLAP_WORDS)) {
    words += units[to]!.words;
    to++;
    if (words >= TARGET_WORDS) break;
  }
  if (wordsOf(units, to, units.length) < SHORTEST_TAIL) return units.length;
  // Never end on the sentence that introduces what follows.
  if (to - 1 > from && units[to]?.leadIn === to - 1) return to - 1;
  return to;
}

/** Start of the next chunk: as many whole sentences back as fit into the overlap, but always onwards. */
function overlapStart(units: readonly Unit[], from: number, to: number): number {
  let start = to;
  let words = 0;
  while (start - 1 > from && words + units[start - 1]!.words <= OVERLAP_WORDS) {
    start--;
    words += units[start]!.words;
  }
  return start;
}

function wordsOf(units: readonly Unit[], from: number, to: number): number {
  let words = 0;
  for (let i = from; i < to; i++) words += units[i]!.words;
  return words;
}

function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let leadIn: number | null = null;
  for (const block of blocksOf(text)) {
    if (!block.isItem) leadIn = null;
    for (const span of sentencesOf(text, block)) {
      units.push({ ...span, words: countWords(text.slice(span.start, span.end)), leadIn });
    }
    if (!block.isItem) leadIn = units.length - 1;
  }
  return units;
}

/** Paragraphs and list items. A list goes on over blank lines; its items' further lines belong to them. */
function blocksOf(text: string): (Span & { isItem: boolean })[] {
  const blocks: { start: number; end: number; isItem: boolean }[] = [];
  let open: { start: number; end: number; isItem: boolean } | null = null;
  for (const match of text.matchAll(/[^\n]+/gu)) {
    const line = match[0];
    const end = match.index + line.trimEnd().length;
    if (line.trim() === '') continue;
    const isItem = LIST_ITEM.test(line);
    const follows = open !== null && text.slice(open.end, match.index).split('\n').length <= 2;
    if (open !== null && !isItem && follows) open.end = end;
    else {
      open = { start: match.index, end, isItem };
      blocks.push(open);
    }
  }
  return blocks;
}

/** Sentences of a block without gaps but white space; what is too long for a chunk is cut between words. */
function sentencesOf(text: string, block: Span): Span[] {
  const body = text.slice(block.start, block.end);
  const spans: Span[] = [];
  let start = 0;
  const close = (end: number): void => {
    for (const piece of cutLong(body.slice(start, end))) {
      spans.push({ start: block.start + start + piece.start, end: block.start + start + piece.end });
    }
    start = end;
  };
  for (const match of body.matchAll(SENTENCE_END)) {
    const stop = match.index + 1;
    if (match[0].startsWith('.') && ABBREVIATION.test(body.slice(Math.max(start, stop - 12), stop))) continue;
    close(match.index + match[0].length);
  }
  close(body.length);
  return spans;
}

function cutLong(sentence: string): Span[] {
  const words = [...sentence.matchAll(/\S+/gu)];
  const pieces: Span[] = [];
  const count = Math.ceil(words.length / LONGEST_UNIT);
  const size = Math.ceil(words.length / Math.max(count, 1));
  for (let from = 0; from < words.length; from += size) {
    const first = words[from]!;
    const last = words[Math.min(from + size, words.length) - 1]!;
    pieces.push({ start: first.index, end: last.index + last[0].length });
  }
  return pieces;
}

function countWords(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0;
}
