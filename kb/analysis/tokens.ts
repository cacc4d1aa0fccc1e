import type { Token } from './word.ts';

/** A number keeps its separators (`1.050,50`, `39 480`), a word its inner apostrophe and soft hyphens. */
export const TOKEN =
  /\p{N}{1,3}(?:[ \u00A0\u202F]\p{N}{3})+(?!\p{N})(?:,\p{N}+)?|\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}\u00AD]+(?:['’]\p{L}+)?/gu;
/** The same pattern for the scanner, which sets where it begins. */
const FROM_HERE = new RegExp(TOKEN);

/** What a character means for a token: nothing, a plain letter, or a case for the pattern. */
const NOTHING = 0;
const LETTER = 1;
const OTHER = 2;
/** A table for the characters of Latin scripts, which come first. */
const KINDS = Uint8Array.from({ length: 0x2_50 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\p{L}/u.test(character)) return LETTER;
  return /[\p{M}\p{N}\u00AD']/u.test(character) ? OTHER : NOTHING;
});
/** Dashes, quotation marks (except the one that serves as an apostrophe), dots and bullets. */
const PUNCTUATION = /[‐-‘‚-•…‹›]/u;

function kindOf(code: number): number {
  return code < KINDS.length ? KINDS[code]! : PUNCTUATION.test(String.fromCharCode(code)) ? NOTHING : OTHER;
}

/** The hash of FNV-1a (Fowler, Noll and Vo), over code units. */
const FIRST_HASH = 0x81_1c_9d_c5 | 0;
const hashed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01_00_01_93);
/** Thirty bits, which stay a small integer; the lower ones, of which tables take some, depend on the higher ones too. */
const closed = (hash: number): number => (hash ^ (hash >>> 15)) & 0x3f_ff_ff_ff;

/**
 * Iterates over the tokens of a text, as `TOKEN` matches them. Most are runs of plain letters, which are found without
 * the pattern in a third of the time; that is most of the time of reading a large base.
 */
export class TokenScanner {
  readonly #text: string;
  start = 0;
  end = 0;
  /** A hash of the token. */
  hash = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Moves to the next token, `text.slice(start, end)`; false if there is none. */
  next(): boolean {
    const text = this.#text;
    let at = this.end;
    let kind = NOTHING;
    let code = 0;
    for (; at < text.length; at++) {
      code = text.charCodeAt(at);
      kind = kindOf(code);
      if (kind !== NOTHING) break;
    }
    const start = at;
    let hash = FIRST_HASH;
    while (kind === LETTER) {
      hash = hashed(hash, code);
      if (++at === text.length) break;
      code = text.charCodeAt(at);
      kind = kindOf(code);
    }
    if (kind === OTHER) return this.#nextByPattern(start);
    this.start = start;
    this.end = at;
    this.hash = closed(hash);
    return start < at;
  }

  #nextByPattern(from: number): boolean {
    FROM_HERE.lastIndex = from;
    const found = FROM_HERE.exec(this.#text);
    if (found === null) return false;
    this.start = found.index;
    this.end = FROM_HERE.lastIndex;
    this.hash = hashOf(this.#text, this.start, this.end);
    return true;
  }
}

/** The hash that a scanner gives to `text.slice(start, end)`. */
export function hashOf(text: string, start = 0, end = text.length): number {
  let hash = FIRST_HASH;
  for (let at = start; at < end; at++) hash = hashed(hash, text.charCodeAt(at));
  return closed(hash);
}

/** The first `most` words; no more of the text is read. */
export function tokenize(text: string, most = Infinity): Token[] {
  const tokens: Token[] = [];
  const scanner = new TokenScanner(text);
  while (tokens.length < most && scanner.next()) {
    const { start, end } = scanner;
    tokens.push({ text: text.slice(start, end), start, end });
  }
  return tokens;
}

/** The same words without positions. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const scanner = new TokenScanner(text);
  while (scanner.next()) tokens.push(text.slice(scanner.start, scanner.end));
  return tokens;
}
