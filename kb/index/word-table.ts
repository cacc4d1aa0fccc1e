import { foldContent, languageOf } from '../analysis/analysis.ts';
import { TokenScanner, tokensOf } from '../analysis/tokens.ts';
import type { Language } from '../source.ts';

/** The number of a token that is no content word. */
const NONE = -1;

/**
 * Numbers the distinct content words of a base by spelling, so that each is folded once and texts are rows of numbers.
 * The forms of a word depend on the whole base (compounds are split by its words) and are computed later.
 */
export class WordTable {
  readonly #numbers: Readonly<Record<Language, Map<string, number>>> = { de: new Map(), en: new Map() };
  readonly texts: string[] = [];
  readonly languages: Language[] = [];
  readonly folded: string[] = [];

  /** Appends the numbers of the content words of a text to `row`, in order and with repeats. */
  read(text: string, lang: Language, row: number[]): void {
    const numbers = this.#numbers[lang];
    const scanner = new TokenScanner(text);
    while (scanner.next()) {
      const token = text.slice(scanner.start, scanner.end);
      const number = numbers.get(token) ?? this.#add(token, lang, numbers);
      if (number !== NONE) row.push(number);
    }
  }

  /** The same for a line with a question, which may be in another language than the source. */
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
