import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemGerman } from '@orama/stemmers/german';

import type { Language } from '../source.ts';
import { splitCompound, type Vocabulary } from './compounds.ts';
import { ENGLISH, ENGLISH_OF_QUESTIONS, GERMAN, GERMAN_OF_QUESTIONS } from './stop-words.ts';
import { stemOfThirdPerson, stemOfVerb, stemOfVerbalNoun } from './verbs.ts';
import { tokenize, tokensOf } from './tokens.ts';
import type { Form, Word } from './word.ts';

const UMLAUTS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'oe',
  œ: 'oe',
};

/**
 * The form in which words are compared: lower case without accents, and in German the umlaut, its spelling with `e` and
 * the plain vowel are one (`Verträge`, `Vertraege` → `vertrage`), so that spelling does not matter. `ue` after a, e and
 * q is no umlaut (`neue`, `Bauer`, `quer`) and stays.
 */
export function fold(word: string, lang: Language): string {
  const lower = word.normalize('NFC').toLowerCase();
  if (lang === 'en') return stripAccents(lower);
  const spelled = lower.replace(/[äöüßæøœ]/gu, (letter) => UMLAUTS[letter] ?? letter);
  return stripAccents(spelled).replace(/ae|oe|(?<![aeq])ue/gu, (pair) => pair.charAt(0));
}

function stripAccents(word: string): string {
  return isAscii(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '');
}

function isAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 127) return false;
  return true;
}

const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  de: new Set(GERMAN.split(/\s+/u).map((word) => fold(word, 'de'))),
  en: new Set(ENGLISH.split(/\s+/u)),
};

const OF_QUESTIONS: Readonly<Record<Language, ReadonlySet<string>>> = {
  de: new Set(GERMAN_OF_QUESTIONS.split(/\s+/u).map((word) => fold(word, 'de'))),
  en: new Set(ENGLISH_OF_QUESTIONS.split(/\s+/u)),
};

/** Whether a word only puts a question and names no subject; `folded` is the word as `fold` returns it. */
export const isOfQuestions = (folded: string, lang: Language): boolean => OF_QUESTIONS[lang].has(folded);

/** Whether a word is a stop word; `folded` is the word as `fold` returns it. */
export const isStopWord = (folded: string, lang: Language): boolean => STOP_WORDS[lang].has(folded);

/** The language of a text by its stop words; `otherwise` if neither language has more. */
export const detectLanguage = (text: string, otherwise: Language = 'de'): Language =>
  languageOf(tokensOf(text), otherwise);

/** The language of a text that was already cut into tokens; `otherwise` if neither language has more stop words. */
function languageOf(tokens: readonly string[], otherwise: Language): Language {
  const told = new ToldLanguage();
  for (const token of tokens) told.add(stopWordOf(token));
  return told.language(otherwise);
}

/** Bits that say of which languages a word is a stop word. */
const OF_GERMAN = 1;
const OF_ENGLISH = 2;

/** Counts the stop words of a text. */
export class ToldLanguage {
  #german = 0;
  #english = 0;

  /** @param stopWord the languages of a word, as `stopWordOf` returns them */
  add(stopWord: number): void {
    this.#german += stopWord & OF_GERMAN;
    this.#english += (stopWord & OF_ENGLISH) >> 1;
  }

  /** The language with more stop words. */
  language(otherwise: Language): Language {
    if (this.#english === this.#german) return otherwise;
    return this.#english > this.#german ? 'en' : 'de';
  }
}

/** The number of words whose language is cached. Texts repeat their words, so the cache saves most of the work. */
const MAX_TOLD = 50_000;
const told = new Map<string, number>();

/** Of which languages a token is a stop word, for `ToldLanguage`. */
export function stopWordOf(token: string): number {
  let known = told.get(token);
  if (known === undefined) {
    known =
      (STOP_WORDS.de.has(fold(token, 'de')) ? OF_GERMAN : 0) |
      (STOP_WORDS.en.has(token.toLowerCase()) ? OF_ENGLISH : 0);
    if (told.size === MAX_TOLD) told.clear();
    told.set(token, known);
  }
  return known;
}

/**
 * The language to answer in: the question's if the base has it, otherwise the base's. If the question does not show its
 * language (`parental leave`), it is the base's.
 *
 * @param languages those of the base: that of most of its sources first
 */
export function languageToAnswerIn(question: string, languages: readonly Language[]): Language {
  const [own = 'de'] = languages;
  const asked = detectLanguage(question, own);
  return languages.includes(asked) ? asked : own;
}

/**
 * The number of cached word forms: more than a large base has. The cache is bounded because the words of questions also
 * fill it.
 */
const MAX_FORMS = 500_000;

/** The analysis of a base before its vocabulary changed, and the folded words that have the same forms after it. */
interface AnalysisBefore {
  readonly analysis: Analysis;
  readonly isSame: (folded: string) => boolean;
}

/**
 * Turns text into terms: tokens, folding, stop words, stems, and compounds split by the words of one base. Forms of
 * words are cached, so that the analysis of a large base costs as much as its vocabulary.
 */
export class Analysis {
  readonly #vocabulary: Vocabulary;
  readonly #before: AnalysisBefore | null;
  readonly #forms: Readonly<Record<Language, Map<string, Form | null>>> = { de: new Map(), en: new Map() };

  /**
   * @param vocabulary folded words of the base, as `fold` returns them; with an empty one, no compound is split
   * @param before an analysis that knows the forms of most words already
   */
  constructor(vocabulary: Vocabulary = new Set(), before: AnalysisBefore | null = null) {
    this.#vocabulary = vocabulary;
    this.#before = before;
  }

  /** The content words in the order of the text. */
  words(text: string, lang: Language): Word[] {
    const words: Word[] = [];
    for (const token of tokenize(text)) {
      const form = this.form(token.text, lang);
      if (form !== null) words.push({ ...token, ...form });
    }
    return words;
  }

  /**
   * The forms of the content words without their positions, one object for each form. `isLeftOut` decides by the
   * spelling of a word.
   */
  forms(text: string, lang: Language, isLeftOut: (token: string) => boolean = () => false): Form[] {
    return tokensOf(text).flatMap((token) => (isLeftOut(token) ? [] : (this.form(token, lang) ?? [])));
  }

  /** The words of a line of front matter with a question, which may be in another language than the source. */
  wordsOfLine(line: string, lang: Language): Word[] {
    return this.words(line, detectLanguage(line, lang));
  }

  /** The compared form of one token; `null` for stop words and single letters. */
  form(text: string, lang: Language): Form | null {
    const known = this.#forms[lang].get(text);
    if (known !== undefined) return known;
    const form = this.#analyse(text, lang);
    if (this.#forms[lang].size === MAX_FORMS) this.#forms[lang].clear();
    this.#forms[lang].set(text, form);
    return form;
  }

  #analyse(text: string, lang: Language): Form | null {
    const folded = foldContent(text, lang);
    return folded === null ? null : this.formOf(text, folded, lang);
  }

  /** The form of a content word whose folded form is known. */
  formOf(text: string, folded: string, lang: Language): Form {
    if (this.#before?.isSame(folded) === true) return this.#before.analysis.form(text, lang)!;
    return { folded, term: stem(folded, lang), parts: lang === 'de' ? this.#partsOf(text, folded) : [] };
  }

  #partsOf(text: string, folded: string): string[] {
    const isLower = /^\p{Ll}/u.test(text);
    const verb = isLower ? stemOfVerb(folded) : undefined;
    if (verb !== undefined) return [verb];
    const parts = splitCompound(folded, this.#vocabulary);
    if (parts.length > 0) return parts.map((part) => stem(part, 'de'));
    const related = isLower ? stemOfThirdPerson(folded) : stemOfVerbalNoun(folded);
    return related === undefined || related === stem(folded, 'de') ? [] : [related];
  }
}

/**
 * The folded form of a token: possessives and other contractions end at the apostrophe, and a number loses its
 * separators of thousands (`39 480`, German `39.480`, English `39,480` → `39480`).
 */
export function foldToken(text: string, lang: Language): string {
  if (/^\p{N}/u.test(text)) {
    const separators =
      lang === 'de' ? /[ .\u00A0\u202F](?=\p{N}{3}(?!\p{N}))/gu : /[ ,\u00A0\u202F](?=\p{N}{3}(?!\p{N}))/gu;
    return fold(text.replace(separators, ''), lang);
  }
  return fold(text.replace(/\u00AD|['’].*$/gu, ''), lang);
}

/** Folded form of a token; `null` for stop words and single letters. */
export function foldContent(text: string, lang: Language): string | null {
  const folded = foldToken(text, lang);
  return isStopWord(folded, lang) || !(folded.length > 1 || /\p{N}/u.test(folded)) ? null : folded;
}

/** The stem of a folded word; a word with a digit is its own stem. */
export function stem(folded: string, lang: Language): string {
  if (/\p{N}/u.test(folded)) return folded;
  return lang === 'de' ? stemGerman(folded) : stemEnglish(folded);
}

/** Terms without compounds, for comparing texts. Shared, because it has a cache. */
export const plainAnalysis = new Analysis();
