import { foldContent, languageOf } from '../analysis/analysis.ts';
import { TokenScanner, tokensOf } from '../analysis/tokens.ts';
import type { Language } from '../source.ts';

/** Number of a token that is no content word. */
const NONE = -1;

/**
 * Numbers the distinct content words of a base as they are written, so that each is folded once and texts are rows of
 * numbers. What a word becomes depends on the whole base (compounds are split by its words) and is worked out later.
 */
export class WordTable {
  readonly #numbers: Readonly<Record<Language, Map<string, number>>> = { de: new Map(), en: new Map() };
  readonly texts: string[] = [];
  readonly languages: Language[] = [];
  readonly folded: string[] = [];

  /** Numbers of the content words of a text, in order and with repeats, put behind what is in `row`. */
  read(text: string, lang: Language, row: number[]): void {
    const numbers = this.#numbers[lang];
    const scanner = new TokenScanner(text);
    while (scanner.next()) {
      const token = text.slice(scanner.start, scanner.end);
      const number = numbers.get(token) ?? this.#add(token, lang, numbers);
      if (number !== NONE) row.push(number);
    }
  }

  /** The same for a line that says how a source is asked for: also in another language than the source's. */
  readLine(line: string, lang: Language, row: number[]): void {
    const tokens = tokensOf(line);
    this.#readTokens(tokens, languageOf(tokens, lang), row);
  }

  /** The number of a content word. */
  numberOf(word: string, lang: Language): number {
    const numbers = this.#numbers[lang];
    return numbers.get(word) ?? this.#add(word, lang, numbers);
  }

  #readTokens(tokens: readonly string[], lang: Language, row: number[]): void {
    const numbers = this.#numbers[lang];
    for (const token of tokens) {
      const number = numbers.get(token) ?? this.#add(token, lang, numbers);
      if (number !== NONE) row.push(number);
    }
  }

  #add(token: string, lang: Language, numbers: Map<string, number>): number {
    const folded = foldContent(token, lang);
    const number = folded === null ? NONE : this.texts.length;
    numbers.set(token, number);
    if (folded === null) return NONE;
    this.texts.push(token);
    this.languages.push(lang);
    this.folded.push(folded);
    return number;
  }
}
