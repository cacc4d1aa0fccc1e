import { execFile } from 'node:child_process';

import type { Grey } from './pdfium.ts';
import type { Word } from './words.ts';
import { wordList } from '../../word-list.ts';

const LANGUAGES = ['deu', 'eng'];
/** The resolution for which Tesseract was trained. */
export const DOTS_PER_INCH = 300;
/** Words with a lower confidence, in percent, are usually dirt on the page. */
const SURE = 30;
const COLUMNS = wordList('level page block paragraph line word left top width height conf text');

/** Those of our languages that Tesseract has installed, in its notation: `deu+eng`; empty if there are none. */
export async function languagesOfTesseract(): Promise<string> {
  const listed = await run(['--list-langs']);
  return LANGUAGES.filter((language) => listed?.split(/\s+/u).includes(language)).join('+');
}

/**
 * The words of a picture, with their positions on the page in points.
 *
 * @throws {Error} if Tesseract fails.
 */
export async function readPicture(picture: Grey, languages: string): Promise<Word[]> {
  const header = Buffer.from(`P5\n${picture.width} ${picture.height}\n255\n`);
  const table = await run(
    ['stdin', 'stdout', '-l', languages, '--dpi', String(picture.dotsPerInch), 'tsv'],
    Buffer.concat([header, picture.pixels]),
  );
  if (table === undefined) throw new Error('tesseract could not read a page');
  return wordsOfTable(table, 72 / picture.dotsPerInch);
}

/** The output of Tesseract; `undefined` if it is not installed or fails. */
function run(args: readonly string[], input?: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile(
      'tesseract',
      args,
      // Tesseract uses one thread, because other files are read at the same time.
      { maxBuffer: 2 ** 26, env: { ...process.env, OMP_THREAD_LIMIT: '1' } },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

interface Found {
  readonly line: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly text: string;
}

/**
 * The words in Tesseract's output. It has no font sizes: paragraphs with about the usual line height get the usual
 * size.
 */
function wordsOfTable(table: string, scale: number): Word[] {
  const found = table
    .split('\n')
    .slice(1)
    .map((row) => Object.fromEntries(row.split('\t').map((value, i) => [COLUMNS[i], value])))
    .filter(({ level, conf, text }) => level === '5' && Number(conf) >= SURE && text?.trim() !== '')
    .map((row): Found => {
      const [left, top] = [Number(row['left']) * scale, Number(row['top']) * scale];
      return {
        line: `${row['block']} ${row['paragraph']} ${row['line']}`,
        left,
        top,
        right: left + Number(row['width']) * scale,
        bottom: top + Number(row['height']) * scale,
        text: row['text']!.trim(),
      };
    });
  const lines = Map.groupBy(found, ({ line }) => line);
  const heights = new Map([...lines].map(([line, words]) => [line, heightOf(words)]));
  const usual = median(found.map(({ line }) => heights.get(line)!));
  const sizes = new Map(
    [...Map.groupBy(lines.keys(), paragraphOf)].map(([paragraph, of]) => {
      const height = median(of.map((line) => heights.get(line)!));
      return [paragraph, Math.abs(height - usual) < 0.25 * usual ? usual : height];
    }),
  );
  return found.map((word): Word => {
    const { line, left, top, right, bottom } = word;
    const text = isBullet(word, lines.get(line)!) ? '•' : word.text;
    const size = Math.round(sizes.get(paragraphOf(line))! * 2) / 2;
    const baseline = Math.max(...lines.get(line)!.map((word) => word.bottom)) - 0.2 * size;
    return { text, left, top, right, bottom, baseline, size, bold: false, italic: false, fixed: false };
  });
}

/** Whether a word is a bullet: a dot before a line is recognised as a letter. */
const isBullet = (word: Found, [first, second]: readonly Found[]): boolean =>
  word === first &&
  /^[e°©¢»«*+]$/u.test(word.text) &&
  second !== undefined &&
  second.left - word.right > 0.8 * (second.bottom - second.top);

/** Removes the line's number from `block paragraph line`. */
const paragraphOf = (line: string): string => line.replace(/ \d+$/u, '');

const heightOf = (words: readonly Found[]): number =>
  Math.max(...words.map(({ bottom }) => bottom)) - Math.min(...words.map(({ top }) => top));

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
