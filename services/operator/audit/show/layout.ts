import { styleText } from 'node:util';
import { printable, type Terminal } from '../../answer-text.ts';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export function painter({ colour }: Terminal): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}

/** What the terminal must not obey, and what would show text in another order than it stands in. */
export function clean(text: string): string {
  return printable(text.toWellFormed()).replaceAll(/\p{Bidi_Control}/gu, '');
}

const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6])/u;
const NARROW = /^[\p{M}\p{Cf}]*$/u;

/** Columns of a terminal that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfOne(character);
  return width;
}

const widthOfOne = (character: string): number =>
  character < '\u0300' ? 1 : WIDE.test(character) ? 2 : NARROW.test(character) ? 0 : 1;

/** At words, and within one that is longer than a line. */
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

/** `pad` by columns. */
export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Exact below ten seconds; beyond, the two largest units. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${grouped(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${grouped(Math.floor(hours / 24))} d ${hours % 24} h`;
}

export const grouped = (number: number): string => number.toLocaleString('en');
