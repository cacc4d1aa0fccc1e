import { closed, FIRST_HASH, hashed, hashOf, Letters } from './letters.ts';
import type { Token } from './word.ts';

/** A number keeps its separators (`1.050,50`, `39 480`), a word its inner apostrophe and soft hyphens. */
export const TOKEN =
  /\p{N}{1,3}(?:[ \u00A0\u202F]\p{N}{3})+(?!\p{N})(?:,\p{N}+)?|\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}\u00AD]+(?:['’]\p{L}+)?/gu;
/** The pattern of `TOKEN` for the scanner, which sets the place where the match begins. */
const FROM_HERE = new RegExp(TOKEN);

/**
 * The kinds of characters for the scanner: not part of a token, a plain letter, or a character for which the pattern
 * decides.
 */
const NOTHING = 0;
const LETTER = 1;
const OTHER = 2;
/** Dashes, quotation marks (except the mark that serves as an apostrophe), dots and bullets. */
const PUNCTUATION = /[‐-‘‚-•…‹›]/u;
/**
 * A table of the kinds of characters: of the Latin scripts, which come first in Unicode, and of the block with general
 * punctuation.
 */
const LAST_LATIN = 0x2_4f;
const KINDS = Uint8Array.from({ length: 0x20_3b }, (_, code) => {
  const character = String.fromCharCode(code);
  if (code > LAST_LATIN) return PUNCTUATION.test(character) ? NOTHING : OTHER;
  if (/\p{L}/u.test(character)) return LETTER;
  return /[\p{M}\p{N}\u00AD']/u.test(character) ? OTHER : NOTHING;
});

const kindOf = (code: number): number => (code < KINDS.length ? KINDS[code]! : OTHER);

/**
 * Iterates over the tokens of texts, as `TOKEN` matches them. Most tokens are runs of plain letters, which the scanner
 * finds without the pattern in a third of the time. Finding tokens is most of the work of reading a large base.
 */
export class TokenScanner {
  readonly letters = new Letters();
  start = 0;
  end = 0;
  /** The token's hash, as `hashOf` returns it. */
  hash = 0;

  /** Begins to read a text. */
  read(text: string): void {
    this.letters.read(text);
    this.end = 0;
  }

  /** Moves to the next token, `text.slice(start, end)`; false if there is none. */
  next(): boolean {
    const { codes, length } = this.letters;
    let at = this.end;
    let kind = NOTHING;
    let code = 0;
    for (; at < length; at++) {
      code = codes[at]!;
      kind = kindOf(code);
      if (kind !== NOTHING) break;
    }
    const start = at;
    let hash = FIRST_HASH;
    while (kind === LETTER) {
      hash = hashed(hash, code);
      if (++at === length) break;
      code = codes[at]!;
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
    const found = FROM_HERE.exec(this.letters.text);
    if (found === null) return false;
    this.start = found.index;
    this.end = FROM_HERE.lastIndex;
    this.hash = hashOf(this.letters, this.start, this.end);
    return true;
  }
}

/** One scanner serves all texts, because each text is read to its end before the next one begins. */
const scanner = new TokenScanner();

/** The first `most` words of a text. The text after them is not read. */
export function tokenize(text: string, most = Infinity): Token[] {
  const tokens: Token[] = [];
  scanner.read(text);
  while (tokens.length < most && scanner.next()) {
    const { start, end } = scanner;
    tokens.push({ text: text.slice(start, end), start, end });
  }
  return tokens;
}

/** The words of a text without their positions. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  scanner.read(text);
  while (scanner.next()) tokens.push(text.slice(scanner.start, scanner.end));
  return tokens;
}
