import { createHash } from 'node:crypto';
import { spelledOut } from '../spelled-out.ts';

const LONGEST = 64;
const HASH = 8;

/**
 * A readable id from the file's path and the headings that lead to a passage, outermost first. It does not change when
 * other parts of the file do. An id that would be too long keeps its last words and a hash of the whole.
 *
 * @example idOf(['Personal', 'Urlaub', 'Übertrag ins Folgejahr']) // 'personal.urlaub.uebertrag-ins-folgejahr'
 */
export function idOf(path: readonly string[]): string {
  const pieces = path.map(wordsOf).filter((piece) => piece !== '');
  const whole = pieces.join('.');
  const isReadable = pieces.length === path.length;
  if (isReadable && whole.length <= LONGEST && whole !== '') return whole;
  const room = LONGEST - HASH - 1;
  const last = whole.length <= room ? whole : whole.slice(-room).replace(/^[^.-]*[.-]/u, '');
  return `${last === '' ? 'text' : last}-${shortHash(path.join('\n'))}`;
}

/** Appends `_2` to an id that is already taken, within the maximum length. */
export function numbered(id: string, number: number): string {
  const end = `_${number}`;
  return id.length + end.length <= LONGEST
    ? id + end
    : `${id.slice(0, LONGEST - end.length - HASH - 1)}-${shortHash(id)}${end}`;
}

/** The id of the passage that is `steps` after a passage of the same section, or before it if negative. */
export function idBeside(id: string, steps: number): string {
  const [, place = id, number = '1'] = /^(.+)_(\d+)$/u.exec(id) ?? [];
  const beside = Number(number) + steps;
  return beside <= 1 ? place : numbered(place, beside);
}

/**
 * The id of a passage whose id also occurs in another file: a hash of the path is added, so that the order of files
 * does not matter.
 */
export const withHashOf = (id: string, path: string): string =>
  `${id.slice(0, LONGEST - HASH - 1)}-${shortHash(path)}`;

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH);

/** Lower-case letters and digits with `-` between words. */
const wordsOf = (text: string): string =>
  spelledOut(text)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
