import { isUtf8 } from 'node:buffer';
import { decodeByEvidence } from './code-page.ts';

/** The encoding of a file, so that it can be written back in the same encoding. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A file's text with its line ends but without its byte-order mark, or the first line that is not text. */
type Decoded =
  | { readonly text: string; readonly encoding: Encoding; readonly hasMark: boolean }
  | { readonly text?: undefined; readonly line: number };

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Decodes UTF-8, or UTF-16 if the byte-order mark says so. */
export function decode(bytes: Uint8Array): Decoded {
  const [encoding, mark] = MARKS.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte)) ?? [];
  if (encoding !== undefined && encoding !== 'utf-8') {
    const text = new TextDecoder(encoding).decode(bytes);
    // The decoder writes U+FFFD for an incomplete code unit at the end and for an unpaired surrogate.
    return text.includes('\uFFFD') || bytes.length % 2 === 1
      ? { line: text.split('\uFFFD')[0]!.split('\n').length }
      : { text, encoding, hasMark: true };
  }
  if (isUtf8(bytes))
    return { text: new TextDecoder().decode(bytes), encoding: 'utf-8', hasMark: mark !== undefined };
  // In UTF-8 a line feed is never part of another character, so each line can be checked by itself.
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  return { line: lines.findIndex((each) => !isUtf8(Buffer.from(each, 'latin1'))) + 1 };
}

/** The bytes for which `decode` returns this text, in its original encoding. */
export function encode(
  text: string,
  { encoding, hasMark }: { encoding: Encoding; hasMark: boolean },
): Buffer {
  const bytes = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  const mark = MARKS.find(([name]) => name === encoding)![1];
  return Buffer.concat([Buffer.from(hasMark ? mark : []), encoding === 'utf-16be' ? bytes.swap16() : bytes]);
}

export const NOT_TEXT = 'is not valid UTF-8';

/** The text with `\n` as line ends. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/gu, '\n');

/**
 * The text of a file with `\n` line ends: as `decode` reads it, or else in the code page that its signs speak for.
 * `undefined` for bytes that are no text.
 */
export const decodeAny = (bytes: Uint8Array): string | undefined => decodeTold(bytes)?.text;

/**
 * The text of `decodeAny`, with the first line that is not UTF-8 if the code page was guessed; otherwise that line is
 * `null`.
 */
export function decodeTold(
  bytes: Uint8Array,
): { readonly text: string; readonly guessedFrom: number | null } | undefined {
  const decoded = decode(bytes);
  const zero = decoded.text?.indexOf('\0') ?? -1;
  const isPlain = decoded.text !== undefined && zero === -1;
  const text = isPlain ? decoded.text : decodeByEvidence(bytes);
  if (text === undefined || text.includes('\0')) return undefined;
  const guessedFrom = decoded.text === undefined ? decoded.line : isPlain ? null : 1;
  return { text: withLineFeeds(text), guessedFrom };
}

/** The warning for a file that was read in a guessed code page. */
export const GUESSED = `${NOT_TEXT}: it is read in the code page that its signs speak for`;
