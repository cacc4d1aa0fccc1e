/** A word or number as it stands in a text. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Numbers keep their separators (`1.050,50`, `39 480`), a word its inner apostrophe; a soft hyphen belongs to its word. */
const TOKEN =
  /\p{N}{1,3}(?:[ \u00A0\u202F]\p{N}{3})+(?!\p{N})(?:,\p{N}+)?|\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}\u00AD]+(?:['’]\p{L}+)?/gu;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}
