import type { Rule } from './pdfium.ts';
import { usualSize, type Word } from './words.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Words on one line with only spaces between them: a line of a column or of a cell. */
export interface Segment extends Box {
  readonly words: readonly Word[];
  readonly baseline: number;
  /** The size of type of most of its characters. */
  readonly size: number;
}

/**
 * Bullets of lists. Word draws a circle with the letter o, symbol fonts use private characters, and programs write a question mark for
 * a bullet that their font lacks.
 */
const BULLET = /^[o?\uFFFD•‣▪■●○◦·∙⁃–—*➢➤►▶✓✔❖\uE000-\uF8FF-]$/u;

export const isBullet = ({ text }: Pick<Word, 'text'>): boolean => BULLET.test(text);

/** The lines of a page or of a part of it, each from left to right. Words on the same baseline belong to one line. */
export function linesOf(words: readonly Word[]): Word[][] {
  const lines: { baseline: number; size: number; words: Word[] }[] = [];
  for (const word of [...words].sort((a, b) => a.baseline - b.baseline)) {
    const line = lines.findLast(
      ({ baseline, size }) => Math.abs(word.baseline - baseline) < ON_LINE * Math.max(size, word.size),
    );
    if (line === undefined) lines.push({ baseline: word.baseline, size: word.size, words: [word] });
    else {
      line.words.push(word);
      // The largest type gives the baseline, because the sign of a footnote is raised.
      if (word.size > line.size) Object.assign(line, { size: word.size, baseline: word.baseline });
    }
  }
  return lines.map((line) => line.words.sort((a, b) => a.left - b.left));
}

/** The lines of words in reading order: a word at another height, or further left, begins a new line. */
export function linesInOrder(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words) {
    const last = lines.at(-1)?.at(-1);
    const isBeside =
      last !== undefined &&
      Math.abs(word.baseline - last.baseline) < ON_LINE * Math.max(last.size, word.size) &&
      word.left > last.left;
    if (isBeside) lines.at(-1)!.push(word);
    else lines.push([word]);
  }
  return lines;
}

/** Words whose baselines differ by less than this share of the font size are on one line. */
const ON_LINE = 0.45;

/** The sign of a currency, which some tables set before a figure, at the left edge of its column. */
const CURRENCY = /^\p{Sc}$/u;
const FIGURE = /^[\p{Pd}(]?[\d.,]|^\p{Pd}$/u;

/** Cuts a line where the gap between two words is wider than `gap` times the font size, and at vertical rules. */
export function segmentsOf(line: readonly Word[], gap: number, rules: readonly Rule[]): Segment[] {
  const parts: Word[][] = [];
  let right = -Infinity;
  const figure = line.findIndex(({ text }) => FIGURE.test(text));
  const areBefore = line.slice(0, figure).some(({ text }) => CURRENCY.test(text));
  for (const word of line) {
    const last = parts.at(-1);
    // In a table a dash means an empty cell.
    const isMarked = last?.length === 1 && isBullet(last[0]!) && !/\p{Pd}|\*/u.test(last[0]!.text);
    const isPrice = areBefore && last?.length === 1 && CURRENCY.test(last[0]!.text) && FIGURE.test(word.text);
    const isNextPrice = areBefore && CURRENCY.test(word.text) && FIGURE.test(last?.at(-1)?.text ?? '');
    if (
      last === undefined ||
      (word.left - right > gap * Math.max(word.size, last.at(-1)!.size) && !isMarked && !isPrice) ||
      isNextPrice ||
      rules.some((rule) => isBetween(rule, last.at(-1)!, word))
    )
      parts.push([word]);
    else last.push(word);
    right = Math.max(right, word.right);
  }
  return parts.map(segment);
}

const isBetween = (rule: Rule, before: Word, after: Word): boolean =>
  isUpright(rule) &&
  rule.left > (before.left + before.right) / 2 &&
  rule.right < (after.left + after.right) / 2 &&
  rule.left > before.right - 1.5 &&
  rule.right < after.left + 1.5 &&
  rule.top < before.baseline &&
  rule.bottom > before.baseline - before.size / 2;

export const isUpright = (rule: Rule): boolean => rule.bottom - rule.top > rule.right - rule.left;

export function segment(words: readonly Word[]): Segment {
  const size = usualSize(words);
  return {
    ...boxAround(words),
    words,
    size,
    baseline: words.find((word) => word.size === size)!.baseline,
  };
}

export const boxAround = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

/**
 * With a smaller gap than this, as a share of the font size, characters are one word, unless a space was written, which
 * a slanted f may overlap.
 */
const TOUCHING = 0.12;

/**
 * The text of words, with a space between two of them, unless a raised or newly begun word touches the previous one.
 */
export function textOf(words: readonly Word[]): string {
  let text = '';
  let last: Word | undefined;
  for (const word of words) {
    const gap = last === undefined ? 0 : word.left - last.right;
    text +=
      last === undefined ||
      (gap < TOUCHING * Math.min(word.size, last.size) && !(word.spaced === true && gap > 0))
        ? word.text
        : ` ${word.text}`;
    last = word;
  }
  return text;
}
