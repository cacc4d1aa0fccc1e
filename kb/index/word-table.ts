import { foldContent, stopWordOf, ToldLanguage } from '../analysis/analysis.ts';
import { TokenScanner } from '../analysis/tokens.ts';
import type { Language } from '../source.ts';
import { GrowingNumbers } from './growing.ts';
import { Spellings } from './spellings.ts';

/** The fields of a spelling: its word in each language, and the languages in which it is a stop word. */
const FIELDS: Readonly<Record<Language, number>> = { de: 0, en: 1 };
const STOP_WORD = 2;

/** The values of a field. A word is stored as its number plus `FIRST`; lower values mean the following. */
const UNKNOWN = 0;
const NO_WORD = 1;
const FIRST = 2;
/** A stop word is stored as the value of `stopWordOf` plus one. */
const FIRST_KIND = 1;

/**
 * Numbers the distinct content words of a base by spelling, so that each word is folded once and texts become rows of
 * numbers. The forms of a word depend on the whole base (compounds are split by its words) and are computed later.
 */
export class WordTable {
  readonly #scanner = new TokenScanner();
  readonly #spellings = new Spellings(3);
  /** The spellings of a line, whose language is only known at its end. */
  readonly #line = new GrowingNumbers();
  readonly texts: string[] = [];
  readonly languages: Language[] = [];
  readonly folded: string[] = [];

  /** Appends the numbers of the content words of a text to `row`, in order and with repeats. */
  read(text: string, lang: Language, row: GrowingNumbers): void {
    this.#scanner.read(text);
    while (this.#scanner.next()) this.#push(this.#place(), lang, row);
  }

  /**
   * Appends the numbers of the content words of lines with questions. Each line may be in another language than the
   * source. The end of each line in `row` is appended to `ends`.
   */
  readLines(lines: readonly string[], lang: Language, row: GrowingNumbers, ends: GrowingNumbers): void {
    // All lines are read as one text, because the start of a text takes as long as a whole line. No token crosses the
    // end of a line.
    this.#scanner.read(lines.join('\n'));
    let isToken = this.#scanner.next();
    let end = 0;
    for (const line of lines) {
      end += line.length;
      const places = this.#line;
      places.length = 0;
      const told = new ToldLanguage();
      for (; isToken && this.#scanner.start < end; isToken = this.#scanner.next()) {
        const place = this.#place();
        places.push(place);
        told.add(this.#stopWordAt(place));
      }
      const language = told.language(lang);
      for (let i = 0; i < places.length; i++) this.#push(places.values[i]!, language, row);
      ends.push(row.length);
      end++;
    }
  }

  /** The number of a content word. */
  numberOf(word: string, lang: Language): number {
    return this.#wordAt(this.#spellings.placeOfToken(word), lang) - FIRST;
  }

  /** The place of the record for the scanner's token. */
  #place(): number {
    const { letters, start, end, hash } = this.#scanner;
    return this.#spellings.placeOf(letters, start, end, hash);
  }

  #push(place: number, lang: Language, row: GrowingNumbers): void {
    const word = this.#wordAt(place, lang);
    if (word !== NO_WORD) row.push(word - FIRST);
  }

  #stopWordAt(place: number): number {
    const known = this.#spellings.get(place, STOP_WORD);
    if (known !== UNKNOWN) return known - FIRST_KIND;
    const stopWord = stopWordOf(this.#spellings.tokenAt(place));
    this.#spellings.set(place, STOP_WORD, stopWord + FIRST_KIND);
    return stopWord;
  }

  #wordAt(place: number, lang: Language): number {
    const known = this.#spellings.get(place, FIELDS[lang]);
    if (known !== UNKNOWN) return known;
    const word = this.#add(this.#spellings.tokenAt(place), lang);
    this.#spellings.set(place, FIELDS[lang], word);
    return word;
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
