import { fold, isOfQuestions, type Analysis } from '../analysis/analysis.ts';
import type { Word } from '../analysis/word.ts';
import type { Speller } from '../analysis/spelling.ts';
import type { AboutBase } from '../base/about.ts';
import type { Language } from '../source.ts';
import { countryIn } from '../ranking/countries.ts';
import { isTownOf } from '../ranking/towns.ts';
import type { Searched } from './searched.ts';
import type { Postings } from './postings.ts';

/**
 * A word is suspect if it is in at most this many passages, and only in their lines with questions: it may be mistyped
 * there too.
 */
const FEW = 3;
/** A word is only replaced by another one that is at least this many times as frequent. */
const TIMES = 3;

const SHORTEST_STEM = 6;

/** Corrects the words of a question: a mistyped one becomes the nearest word of the base. */
export class Reader {
  /**
   * The countries in the title of the base. In a question with other words their names are dropped, because here they
   * distinguish nothing.
   */
  readonly #countries: ReadonlySet<string>;
  readonly #isLaw: boolean;
  /** Whether no source has front matter. */
  readonly isOfDocuments: boolean;
  readonly #vocabulary: Searched['vocabulary'];
  readonly #unanswered: ReadonlyMap<string, number>;
  readonly #words: Postings;
  readonly #analysis: Analysis;
  readonly #speller: Speller;

  constructor(
    { sources, vocabulary, unanswered, words, analysis, speller }: Searched,
    about: AboutBase | null,
  ) {
    const title = about?.title?.match(/\p{L}+/gu) ?? [];
    this.#countries = new Set(title.flatMap((word) => countryIn(fold(word, about!.language)) ?? []));
    this.#isLaw = about?.law === true;
    this.isOfDocuments = sources.every(({ units }) => units !== undefined);
    this.#unanswered = unanswered;
    this.#vocabulary = vocabulary;
    this.#words = words;
    this.#analysis = analysis;
    this.#speller = speller;
  }

  /** `begins` tells whether a synonym begins with a stem. */
  read(question: string, lang: Language, begins: (term: string) => boolean): Word[] {
    const words = this.#analysis.words(question, lang).map((word) => {
      if (begins(word.term) || this.#stands(word, lang)) return this.#asWritten(word);
      const { folded, term, parts } = this.#meant(word, lang);
      return term === word.term ? this.#asWritten(word) : { ...word, folded, term, parts };
    });
    const onlyAsks = ({ folded, term }: Word): boolean =>
      this.isOfDocuments && isOfQuestions(folded, lang) && !begins(term);
    const others = words.filter(
      (word) => !this.#countries.has(countryIn(word.folded) ?? '') && !this.#isTown(word) && !onlyAsks(word),
    );
    return others.length > 0 ? others : words;
  }

  /**
   * A noun in lower case may look like a form of a verb (`monat`, `geburt`). It is a noun if the base has the word
   * itself in more passages than the verb. Otherwise the few passages with the verb would count too much.
   */
  #asWritten(word: Word): Word {
    const [verb, ...others] = word.parts;
    if (verb === undefined || others.length > 0 || !/^\p{Ll}/u.test(word.text)) return word;
    const isNoun = this.#words.passageFrequency(verb) < this.#words.passageFrequency(word.term);
    return isNoun ? { ...word, parts: [] } : word;
  }

  /** Whether the word is a town that the base does not have; a country's law is the same in all its towns. */
  #isTown({ text, folded }: Word): boolean {
    if (!this.#isLaw || this.#vocabulary.has(folded)) return false;
    const town = fold(text, 'de');
    return [...this.#countries].some((country) => isTownOf(country, town));
  }

  /** Whether a word may stay as it was typed, because the base or an unanswered question has it. */
  #stands({ folded, term, parts }: Word, lang: Language): boolean {
    if (/\p{N}/u.test(folded) || this.#vocabulary.has(folded) || this.#unanswered.has(term)) return true;
    const frequency = this.#words.passageFrequency(term);
    return (
      (lang === 'de' ? frequency > FEW : frequency > 0) ||
      parts.some((part) => this.#words.passageFrequency(part) > 0)
    );
  }

  /** The most frequent of the similar words; the word itself if that word is another form of it. */
  #meant(word: Word, lang: Language): Pick<Word, 'folded' | 'term' | 'parts'> {
    const written = this.#near(word.folded);
    // If the base does not have this form of the word, its stem may be similar to a stem that the base has.
    const close = written.length > 0 || word.term.length < SHORTEST_STEM ? written : this.#near(word.term);
    const near = close.flatMap((known) => this.#analysis.words(known, lang)[0] ?? []);
    if (near.some(({ term }) => term === word.term)) return word;
    const frequencyOf = ({ term }: Pick<Word, 'term'>): number => this.#words.passageFrequency(term);
    const [best] = near.toSorted((a, b) => frequencyOf(b) - frequencyOf(a));
    return best !== undefined && frequencyOf(best) > TIMES * frequencyOf(word) ? best : word;
  }

  /**
   * The known words similar to this word. A word in only a few passages must occur in a text, because a question may be
   * mistyped too.
   */
  #near(word: string): string[] {
    return this.#speller.near(
      word,
      (known) => this.#vocabulary.has(known) || this.#words.passageFrequency(known) > FEW,
    );
  }
}
