import { leadsToPage } from '../contents.ts';
import type { Block } from './layout.ts';
import { isBullet, linesInOrder, textOf, type Box, type Segment } from './segments.ts';
import type { Word } from './words.ts';

/** Lines that belong together. */
export interface Group {
  readonly lines: readonly Segment[];
  readonly column: Box;
  readonly size: number;
  readonly bold: boolean;
  /** Whether all its letters are capitals, small ones as well. */
  readonly capitals: boolean;
  readonly fixed: boolean;
  /** The bullet or number of a list item before the first line. */
  readonly marker?: { readonly text: string; readonly words: number };
  /** The position at which the text begins after the marker. */
  readonly left: number;
}

const NUMBER = /^(?:[(]?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[)]|(?:\d{1,3}|[a-z]|[ivx]{2,5})\.)$/u;

/** The marker of a list item; a bullet has an empty text. */
function markerOf(line: Segment): { text: string; words: number } | undefined {
  const [first, second] = line.words;
  if (first === undefined || second === undefined) return undefined;
  if (isBullet(first)) return { text: '', words: 1 };
  return NUMBER.test(first.text) ? { text: first.text, words: 1 } : undefined;
}

const isBold = (words: readonly Word[]): boolean => {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.filter(({ bold }) => bold).reduce((sum, { text }) => sum + text.length, 0) > 0.8 * letters;
};

const isCapitals = (words: readonly Word[]): boolean =>
  words.some(({ text }) => /\p{Lu}{3}/u.test(text)) && !words.some(({ text }) => /\p{Ll}/u.test(text));

/** Joins lines to paragraphs, items and headings, in the order of the blocks, with tables between them. */
export function groupsOf(blocks: readonly Block[]): (Group | Extract<Block, { kind: 'table' }>)[] {
  const groups: (Group | Extract<Block, { kind: 'table' }>)[] = [];
  const steps = usualSteps(blocks);
  let last: { line: Segment; column: Box } | undefined;
  for (const block of blocks) {
    if (block.kind === 'table') {
      groups.push(block);
      last = undefined;
      continue;
    }
    const { line, column } = block;
    const group = groups.at(-1);
    if (last !== undefined && group !== undefined && 'lines' in group && goesOn(group, last, block, steps)) {
      groups[groups.length - 1] = {
        ...group,
        lines: [...group.lines, line],
        bold: group.bold && isBold(line.words),
        capitals: group.capitals && isCapitals(line.words),
      };
    } else {
      const marker = markerOf(line);
      groups.push({
        lines: [line],
        column,
        size: line.size,
        bold: isBold(line.words),
        capitals: isCapitals(line.words),
        fixed: line.words.every(({ fixed }) => fixed),
        ...(marker === undefined ? {} : { marker }),
        left: marker === undefined ? line.left : line.words[marker.words]!.left,
      });
    }
    last = { line, column };
  }
  return groups;
}

/** Whether a line begins with the raised number of a footnote. */
export const beginsNote = ([first]: readonly Word[]): boolean =>
  first?.raised === true && /^\d{1,3}[)]?$/u.test(first.text);

/** The most frequent distance between lines of running text, for each font size. */
function usualSteps(blocks: readonly Block[]): ReadonlyMap<number, number> {
  const steps = new Map<number, Map<number, number>>();
  for (const [i, block] of blocks.entries()) {
    const next = blocks[i + 1];
    if (
      block.kind === 'table' ||
      next === undefined ||
      next.kind === 'table' ||
      block.line.size !== next.line.size
    )
      continue;
    const step = Math.round((next.line.baseline - block.line.baseline) * 2) / 2;
    if (step <= 0 || step > 2.2 * block.line.size) continue;
    const counts = steps.get(block.line.size) ?? new Map<number, number>();
    steps.set(block.line.size, counts.set(step, (counts.get(step) ?? 0) + 1));
  }
  return new Map(
    [...steps].map(([size, counts]) => [size, [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]![0]]),
  );
}

function goesOn(
  group: Group,
  last: { line: Segment; column: Box },
  { line, column }: { line: Segment; column: Box },
  steps: ReadonlyMap<number, number>,
): boolean {
  const before = last.line;
  const step = line.baseline - before.baseline;
  const usual = steps.get(line.size) ?? 1.25 * line.size;
  if (step <= 0 || step > Math.max(usual * 1.25, 1.05 * line.size)) return false;
  if (Math.abs(line.size - group.size) > 0.07 * group.size) return false;
  if (beginsNote(line.words) && beginsNote(group.lines[0]!.words)) return false;
  if (group.fixed !== line.words.every(({ fixed }) => fixed)) return false;
  if (group.fixed) return true;
  if (leadsToPage(textOf(before.words))) return false;
  if (leadsToPage(textOf(line.words)) && isWhole(before, last.column, line)) return false;
  const looksOther = group.bold !== isBold(line.words) || group.capitals !== isCapitals(line.words);
  if (looksOther && isWhole(before, last.column, line)) return false;
  if (
    markerOf(line) !== undefined &&
    !isDivided(before) &&
    (group.marker !== undefined || isWhole(before, last.column, line) || isBulleted(line, before))
  )
    return false;
  if (isInTheMiddle(before, last.column) && isAtTheLeft(line, column)) return false;
  const em = line.size;
  // The text of an item is indented to its first word. A line further left is not part of it.
  if (group.marker !== undefined) return line.left > group.left - em || !isWhole(before, last.column, line);
  const indented = line.left - before.left > 0.8 * em && before.left - column.left < 1.5 * em;
  if (indented && group.lines.length > 1 && line.left - column.left < 4 * em) return false;
  return !isWhole(before, last.column, line) || !endsSentence(before);
}

/** Whether a line stands in the middle of its column, as a title does. */
const isInTheMiddle = (line: Segment, column: Box): boolean =>
  line.left - column.left > 2 * line.size &&
  Math.abs(line.left - column.left - (column.right - line.right)) < line.size;

/** Whether a line begins at the edge of its column, and does not fill it. */
const isAtTheLeft = (line: Segment, column: Box): boolean =>
  line.left - column.left < line.size && column.right - line.right > 2 * line.size;

/** Whether a word or a range of numbers goes on in the next line. */
const isDivided = (line: Segment): boolean => /[\p{L}\d]-$/u.test(line.words.at(-1)!.text);

/** Whether a line begins with a bullet. A dash may be that of the sentence that fills the line before. */
const isBulleted = ({ words: [first] }: Segment, before: Segment): boolean =>
  isBullet(first!) && (!/\p{Pd}/u.test(first!.text) || endsSentence(before));

/** Whether the line ended although the next word would have fitted, so that its end was intended. */
function isWhole(line: Segment, column: Box, next: Segment): boolean {
  const [word] = next.words;
  return column.right - line.right > word!.right - word!.left + 0.6 * line.size;
}

const endsSentence = (line: Segment): boolean => {
  const { text } = line.words.at(-1)!;
  return /[.!?:;…]["»”“')\]]*$/u.test(text) && !URL_SO_FAR.test(text);
};

/** A paragraph continues in the next column or page if it has no end and the next text is no beginning. */
export const continues = (line: string, next: string): boolean =>
  /\p{L}/u.test(line) && (/[\p{L}\d]-$/u.test(line) || (hasNoEnd(line) && /^[\p{Ll}(]/u.test(next)));

export const hasNoEnd = (line: string): boolean => /\p{L}/u.test(line) && !/[.!?:;…]["»”“')\]]*$/u.test(line);

/** Words that follow the hyphen of a shortened word: `Kranken- und Rentenversicherung`. */
const AFTER_SHORTENED = /^(?:und|oder|bzw\.?|sowie|u\.|o\.|als|wie|noch|bis|and|or|to|nor)$/iu;
const HYPHEN = /(?<before>[\p{L}\d]+(?:-[\p{L}\d]+)*)(?<hyphen>[-\u00AD\u2010])$/u;

/** A web address that is divided at a line end gets no space there, and keeps its hyphen. */
const URL_SO_FAR = /(?:^|[\s(<])(?:https?:\/\/|www\.)\S*[./_=&?#-]$/iu;

/** Whether a web address goes on; one that ends with a slash may be whole, unless the next word looks like a part of it. */
const isUrlGoingOn = (text: string, line: string): boolean =>
  URL_SO_FAR.test(text) && (!text.endsWith('/') || /^[^\s/._=?&%#\d]*[/._=?&%#\d]\w/u.test(line));

/** An address of mail or of the web whose host is not complete, the rest of a host, and a host behind a name. */
const HOST_SO_FAR = /(?:\S@|:\/\/|(?:^|\s)www\.)[\w.-]*(?<!\.\p{L}{2,}\.?)$/u;
const REST_OF_HOST = /^(?!www\.)[\w.-]*\.\p{L}{2,}(?=[\s,;:)>]|$)/u;
const HOST_OF_MAIL = /^@[\w-]+(?:\.[\w-]+)*\.\p{L}{2,}(?=[\s,;:)>]|$)/u;

/** Whether a line end divides a host, as in a narrow cell: `ada@exam`, `ple.org`. */
const isHostGoingOn = (text: string, line: string): boolean =>
  (HOST_SO_FAR.test(text) && REST_OF_HOST.test(line)) ||
  (/^\S*[\w+-]$/u.test(text) && HOST_OF_MAIL.test(line));

/** A dash that stands without spaces: `origin—whether`. */
const DASHED = /\p{L}—$/u;

/** Whether a line end divides a word without a hyphen, as in a narrow cell. */
function isOneWord(text: string, line: string, known: Known): boolean {
  const before = /(?<=^|\s)\p{L}+$/u.exec(text)?.[0];
  const next = /^\p{Ll}+(?=[\s.,;:!?)]|$)/u.exec(line)?.[0];
  return before !== undefined && next !== undefined && known.isCutOff(before) && known(before + next);
}

/** The text of lines, with divided words joined. `known` tells whether the document has a word elsewhere. */
export function joinLines(lines: readonly string[], known: Known): string {
  let text = '';
  for (const line of lines) {
    if (line === '') continue;
    const { before, hyphen } = HYPHEN.exec(text)?.groups ?? {};
    const next = /^[\p{L}\d]+/u.exec(line)?.[0];
    if (text === '' || isUrlGoingOn(text, line) || isHostGoingOn(text, line)) text += line;
    else if (before === undefined || next === undefined)
      text += isOneWord(text, line, known) || DASHED.test(text) ? line : ` ${line}`;
    else if (hyphen === '\u00AD') text = text.slice(0, -1) + line;
    else if (AFTER_SHORTENED.test(/^[^\s]+/u.exec(line)![0])) text += ` ${line}`;
    else if (!/^\p{Ll}/u.test(next) || /\d$/u.test(before)) text += line;
    else if (known(`${before}-${next}`) && !known(before + next)) text += line;
    else text = text.slice(0, -1) + line;
  }
  return text;
}

/** The lines of a group, without its marker and without the signs of footnotes. */
export const textsOf = ({ lines, marker }: Group, isSign: (word: Word) => boolean): string[] =>
  lines.map(({ words }, i) =>
    textOf((i === 0 ? words.slice(marker?.words ?? 0) : words).filter((word) => !isSign(word))),
  );

/** Ligatures become letters; private characters of a font have no meaning and are removed. */
export const legible = (text: string): string =>
  text
    .replaceAll(/[\uFB00-\uFB06]/gu, (ligature) => ligature.normalize('NFKC'))
    .replaceAll(/[\uE000-\uF8FF]/gu, '');

/** The words of a document, which show how a word goes on that a line end divides. */
export interface Known {
  /** Whether the document has the word, in any case of its letters. */
  (word: string): boolean;
  /** Whether it stands at ends of lines alone, as the part of a word does that a narrow cell divides without a hyphen. */
  isCutOff(word: string): boolean;
}

/** @param words in the order of the file */
export function knownIn(words: readonly Word[]): Known {
  const known = new Set<string>();
  const followed = new Set<string>();
  for (const line of linesInOrder(words))
    for (const [i, { text }] of line.entries()) {
      const word = text.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '').toLowerCase();
      known.add(word);
      if (i < line.length - 1) followed.add(word);
    }
  return Object.assign((word: string) => known.has(word.toLowerCase()), {
    isCutOff: (word: string) => !followed.has(word.toLowerCase()),
  });
}
