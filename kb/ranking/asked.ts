import { fold } from '../analysis/analysis.ts';
import { tellingOf } from '../analysis/telling.ts';
import type { Word } from '../analysis/word.ts';
import { monthNames } from '../months.ts';
import type { LexicalIndex } from '../index/lexical-index.ts';
import { namesCountry } from './countries.ts';
import type { AskedWord } from './fit.ts';

/** The folded names of months in German and English. */
const MONTHS: ReadonlySet<string> = new Set(
  (['de', 'en'] as const).flatMap((lang) => monthNames(lang).map((name) => fold(name, lang))),
);

/** Weights assume a base of this size, so that new passages do not change the weight of a word. */
const PASSAGES = 1000;

/**
 * The most words of a question that are compared with the hits; a story of 300 characters has 50. Each word is compared
 * with every word of every candidate, so this bounds the cost of a question.
 */
export const MAX_ASKED = 64;

/**
 * The distinct content words of a question, weighted by their rarity in this base. Of a long question only the words
 * that say the most are kept. Years are handled separately (`yearsIn`).
 */
export function askedWords(index: LexicalIndex, question: string): AskedWord[] {
  const { lang, words, synonyms } = index.read(question);
  const distinct = words
    .filter((word, i) => words.findIndex(({ term }) => term === word.term) === i)
    .map((word) => ({ ...word, passageFrequency: index.words.passageFrequency(word.term) }))
    .filter(
      (term) =>
        !isYear(term.text) &&
        !isDate(term.text) &&
        // A number that belongs to the asker's own case is left out.
        !(term.passageFrequency === 0 && isFigure(term, question)),
    );
  const terms = mostTelling(distinct, MAX_ASKED, ({ passageFrequency }) => -passageFrequency);
  const cased = isCased(terms, question);
  return terms.map((term) => {
    const own = isFigure(term, question) || MONTHS.has(term.folded);
    const others = synonyms.get(term.term) ?? [];
    return {
      ...term,
      weight: rarityOf(index, term.term) * tellingOf(term.folded, lang),
      noun: !own && (!cased || isCapital(term.text) || /\p{N}/u.test(term.text)),
      named: namesCountry(term.folded) || isProvision(term, question),
      known: term.passageFrequency > 0,
      corrected:
        fold(term.text.replaceAll(/\u00AD|['’].*$/gu, ''), lang) !== term.folded && !/\p{N}/u.test(term.text),
      unanswered: index.data.unanswered.get(term.term) ?? 0,
      synonyms: others.flatMap((word) => [word.term, ...word.parts]),
    };
  });
}

/**
 * Keeps the `most` items with the highest `telling` value in their original order. Of equal items the first ones are
 * kept.
 */
export function mostTelling<T>(all: readonly T[], most: number, telling: (each: T) => number): readonly T[] {
  if (all.length <= most) return all;
  const kept = new Set(all.toSorted((a, b) => telling(b) - telling(a)).slice(0, most));
  return all.filter((each) => kept.has(each));
}

/** How rare a word is in this base: a rare word says more. */
function rarityOf(index: LexicalIndex, stem: string): number {
  return Math.log(1 + PASSAGES / (index.words.passageFrequency(stem) + 0.5));
}

/**
 * Whether capitals mark the names and nouns in a question: some words within a sentence begin with a capital, and other
 * words have small letters.
 */
function isCased(terms: readonly Word[], question: string): boolean {
  return (
    terms.some((term) => isInnerCapital(term, question)) && terms.some(({ text }) => /\p{Ll}/u.test(text))
  );
}

export const isYear = (text: string): boolean => /^(?:19|20)\d{2}$/u.test(text);

const isDate = (text: string): boolean => /^\d{1,2}\.\d{1,2}(?:\.(?:\d{2}|\d{4}))?$/u.test(text);

/**
 * Whether a word begins with a digit, so that it belongs to the asker's case (`300 Euro`, `20h`), unless it is the
 * number of a provision.
 */
const isFigure = (word: Word, question: string): boolean =>
  /^\p{N}/u.test(word.text) && !isProvision(word, question);

/** Whether a word is the number of a provision (`616` in `§ 616`). Another number would be another provision. */
function isProvision({ text, start }: Word, question: string): boolean {
  return /^\p{N}/u.test(text) && /§\s?$/u.test(question.slice(0, start));
}

/** Whether a word within a sentence is capitalised. The first word of a sentence always is, so it says nothing. */
function isInnerCapital({ text, start }: Word, question: string): boolean {
  return isCapital(text) && !/(?:^|[.!?:;–—"„“(-])\s*$/u.test(question.slice(0, start));
}

/** Whether the first or the second letter is a capital, as in `iPad`. */
function isCapital(text: string): boolean {
  return /^\p{Ll}?\p{Lu}/u.test(text);
}
