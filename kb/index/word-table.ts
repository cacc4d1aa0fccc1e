import { foldContent, stopWordOf, ToldLanguage } from '../analysis/analysis.ts';
import { hashOf, TokenScanner } from '../analysis/tokens.ts';
import type { Language } from '../source.ts';
import { GrowingBytes, GrowingNumbers } from './growing.ts';
import { Spellings } from './spellings.ts';

/** What a spelling is in a language: unknown yet, no content word, or the number of a word plus `FIRST`. */
const UNKNOWN = 0;
const NO_WORD = 1;
const FIRST = 2;

/**
 * Numbers the distinct content words of a base by spelling, so that each is folded once and texts are rows of numbers.
 * The forms of a word depend on the whole base (compounds are split by its words) and are computed later.
 */
export class WordTable {
  readonly #spellings = new Spellings();
  readonly #numbers: Readonly<Record<Language, GrowingNumbers>> = {
    de: new GrowingNumbers(),
    en: new GrowingNumbers(),
  };
  /** The languages of which each spelling is a stop word. */
  readonly #stopWords = new GrowingBytes();
  /** The spellings of a line, whose language is only known at its end. */
  readonly #line = new GrowingNumbers();
  readonly texts: string[] = [];
  readonly languages: Language[] = [];
  readonly folded: string[] = [];

  /** Appends the numbers of the content words of a text to `row`, in order and with repeats. */
  read(text: string, lang: Language, row: GrowingNumbers): void {
    const scanner = new TokenScanner(text);
    while (scanner.next()) this.#push(this.#spellingAt(text, scanner), lang, row);
  }

  /** The same for a line with a question, which may be in another language than the source. */
  readLine(line: string, lang: Language, row: GrowingNumbers): void {
    const spellings = this.#line;
    spellings.length = 0;
    const told = new ToldLanguage();
    const scanner = new TokenScanner(line);
    while (scanner.next()) {
      const spelling = this.#spellingAt(line, scanner);
      spellings.push(spelling);
      told.add(this.#stopWords.values[spelling]!);
    }
    const language = told.language(lang);
    for (let i = 0; i < spellings.length; i++) this.#push(spellings.values[i]!, language, row);
  }

  /** The number of a content word. */
  numberOf(word: string, lang: Language): number {
    const spelling = this.#spelling(word, 0, word.length, hashOf(word));
    return this.#wordOf(spelling, lang) - FIRST;
  }

  #spellingAt(text: string, { start, end, hash }: TokenScanner): number {
    return this.#spelling(text, start, end, hash);
  }

  #spelling(text: string, start: number, end: number, hash: number): number {
    const spellings = this.#spellings;
    const spelling = spellings.numberOf(text, start, end, hash);
    if (spelling === this.#stopWords.length) {
      this.#stopWords.push(stopWordOf(spellings.of(spelling)));
      this.#numbers.de.push(UNKNOWN);
      this.#numbers.en.push(UNKNOWN);
    }
    return spelling;
  }

  #push(spelling: number, lang: Language, row: GrowingNumbers): void {
    const word = this.#wordOf(spelling, lang);
    if (word !== NO_WORD) row.push(word - FIRST);
  }

  #wordOf(spelling: number, lang: Language): number {
    const numbers = this.#numbers[lang].values;
    if (numbers[spelling] === UNKNOWN) numbers[spelling] = this.#add(this.#spellings.of(spelling), lang);
    return numbers[spelling]!;
  }

  #add(token: string, lang: Language): number {
    const folded = foldContent(token, lang);
    if (folded === null) return NO_WORD;
    this.texts.push(token);
    this.languages.push(lang);
    this.folded.push(folded);
    return this.texts.length - 1 + FIRST;
  }
}
