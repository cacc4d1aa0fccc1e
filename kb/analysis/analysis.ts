import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemGerman } from '@orama/stemmers/german';

import type { Language } from '../knowledge.ts';
import { splitCompound, type Vocabulary } from './compounds.ts';
import { fold } from './fold.ts';
import { detectLanguage, isStopWord } from './stop-words.ts';
import { tokenize, type Token } from './tokens.ts';
import { stemOfThirdPerson, stemOfVerb, stemOfVerbalNoun } from './verbs.ts';

/** What a content word is compared by, wherever it stands. */
export interface Form {
  /** As `fold` returns it: what compounds are split on and 4-grams are cut from. */
  readonly folded: string;
  /** The stem: the term that is indexed. A word with a digit in it is its own stem. */
  readonly term: string;
  /** Stems of a compound's parts, where the vocabulary knows them; the stem that a verb shares with its noun. */
  readonly parts: readonly string[];
}

/** A content word of a text. */
export interface Word extends Token, Form {}

/** Word forms that are remembered: more than a large base has, and a bound on what strangers' questions can fill. */
const MAX_FORMS = 500_000;

/**
 * Turns text into terms: tokens, folding, stop words, stems, and compounds split by the words of one base. What a
 * word becomes is remembered, so that a large base is analysed at the cost of its vocabulary.
 */
export class Analysis {
  readonly #vocabulary: Vocabulary;
  readonly #forms: Readonly<Record<Language, Map<string, Form | null>>> = { de: new Map(), en: new Map() };

  /** `vocabulary`: folded words of the base, as `fold` returns them; empty splits nothing. */
  constructor(vocabulary: Vocabulary = new Set()) {
    this.#vocabulary = vocabulary;
  }

  /** Content words in order of the text. */
  words(text: string, lang: Language): Word[] {
    const words: Word[] = [];
    for (const token of tokenize(text)) {
      const form = this.#form(token.text, lang);
      if (form !== null) words.push({ ...token, ...form });
    }
    return words;
  }

  /** The same without their places, each one object wherever it stands; `isLeftOut` by how it is written. */
  forms(text: string, lang: Language, isLeftOut: (token: string) => boolean = () => false): Form[] {
    return tokenize(text).flatMap((token) =>
      isLeftOut(token.text) ? [] : (this.#form(token.text, lang) ?? []),
    );
  }

  /** The words of a line that says how a source is asked for: also in another language than the source's. */
  wordsOfLine(line: string, lang: Language): Word[] {
    return this.words(line, detectLanguage(line, lang));
  }

  /** `null` for stop words and single letters. */
  #form(text: string, lang: Language): Form | null {
    const known = this.#forms[lang].get(text);
    if (known !== undefined) return known;
    const form = this.#analyse(text, lang);
    if (this.#forms[lang].size === MAX_FORMS) this.#forms[lang].clear();
    this.#forms[lang].set(text, form);
    return form;
  }

  #analyse(text: string, lang: Language): Form | null {
    const folded = foldToken(text, lang);
    if (isStopWord(folded, lang) || !(folded.length > 1 || /\p{N}/u.test(folded))) return null;
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
 * Folded form of a token: the possessive and other contractions end at the apostrophe, and a number loses what groups
 * its thousands (`39 480`, German `39.480`, English `39,480` → `39480`).
 */
export function foldToken(text: string, lang: Language): string {
  if (/^\p{N}/u.test(text)) {
    const separators =
      lang === 'de' ? /[ .\u00A0\u202F](?=\p{N}{3}(?!\p{N}))/gu : /[ ,\u00A0\u202F](?=\p{N}{3}(?!\p{N}))/gu;
    return fold(text.replace(separators, ''), lang);
  }
  return fold(text.replace(/\u00AD|['’].*$/gu, ''), lang);
}

/** Stem of a folded word; what holds a digit stays as it is. */
export function stem(folded: string, lang: Language): string {
  if (/\p{N}/u.test(folded)) return folded;
  return lang === 'de' ? stemGerman(folded) : stemEnglish(folded);
}

/** Terms without compounds, for comparing texts with each other. Shared, as it remembers what it has seen. */
export const plainAnalysis = new Analysis();
