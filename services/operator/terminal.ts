import { styleText } from 'node:util';

/** The destination of text: its width, and whether it shows colours. */
export interface Terminal {
  /** Infinite if lines are never cut. */
  readonly columns: number;
  readonly colour: boolean;
}

/** The standard output as it is now, because a window may have changed its width. */
export function standardOutput(): Terminal {
  const { stdout } = process;
  return { columns: stdout.columns ?? 80, colour: stdout.isTTY && stdout.hasColors() };
}

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export function painter({ colour }: Terminal): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}

/** The text without control sequences and without characters that would change the order of display. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(/\p{Bidi_Control}/gu, '');
}

const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6])/u;
const NARROW = /^[\p{M}\p{Cf}]*$/u;

/** The columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfOne(character);
  return width;
}

const widthOfOne = (character: string): number =>
  character < '\u0300' ? 1 : WIDE.test(character) ? 2 : NARROW.test(character) ? 0 : 1;

/** The text, cut with `…` if it is too wide. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let width = 1;
  let kept = '';
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Breaks text at words, and within a word that is longer than a line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = '';
    }
    const parts = split(word, width);
    for (const part of parts.slice(0, -1)) lines.push(part);
    line = line === '' ? parts.at(-1)! : `${line} ${parts.at(-1)!}`;
  }
  return [...lines, line];
}

function split(word: string, width: number): string[] {
  const parts = [''];
  let used = 0;
  for (const character of word) {
    used += widthOfOne(character);
    if (used > width && parts.at(-1) !== '') {
      parts.push('');
      used = widthOfOne(character);
    }
    parts[parts.length - 1] += character;
  }
  return parts;
}
