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

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < KINDS.length ? KINDS[code]! : PUNCTUATION.test(text.charAt(at)) ? NOTHING : OTHER;
}

/**
 * Iterates over the tokens of a text, as `TOKEN` matches them. Most are runs of plain letters, which are found without
 * the pattern in a third of the time; that is most of the time of reading a large base.
 */
export class TokenScanner {
  readonly #text: string;
  start = 0;
  end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Moves to the next token, `text.slice(start, end)`; false if there is none. */
  next(): boolean {
    const text = this.#text;
    let at = this.end;
    while (at < text.length && kindAt(text, at) === NOTHING) at++;
    const start = at;
    while (at < text.length && kindAt(text, at) === LETTER) at++;
    if (at < text.length && kindAt(text, at) === OTHER) {
      FROM_HERE.lastIndex = start;
      const found = FROM_HERE.exec(text);
      if (found === null) return false;
      this.start = found.index;
      this.end = FROM_HERE.lastIndex;
      return true;
    }
    this.start = start;
    this.end = at;
    return start < at;
  }
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
