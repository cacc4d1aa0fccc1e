import { readFileSync } from 'node:fs';

import type { Language } from '../source.ts';
import { fold } from './analysis.ts';
import { wordList } from '../word-list.ts';

/** The weight of the most frequent words, relative to a word outside of everyday speech. */
const LEAST = 0.3;
/** Words up to this rank of frequency have the least weight. */
const COMMONEST = 50;

/** A word with at least this value says something about the subject. `hoch`, `gibt` and `kostet` have less. */
export const SAYS_SOMETHING = 0.7;

/**
 * The most frequent words of everyday speech, the most frequent first (from film subtitles, as in
 * `@zxcvbn-ts/language-de` 3.0.2 and `@zxcvbn-ts/language-en` 4.1.1; MIT). Questions about any subject have them.
 */
const RANKS: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  de: ranksOf('common-german.txt', 'de'),
  en: ranksOf('common-english.txt', 'en'),
};
const LAST = Math.min(RANKS.de.size, RANKS.en.size);

function ranksOf(file: string, language: Language): ReadonlyMap<string, number> {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const words = new Set(wordList(text).map((word) => fold(word, language)));
  return new Map([...words].map((word, i) => [word, i + 1]));
}

/**
 * How much a folded word says about the subject of a question: less for words of everyday speech, however rare they are
 * in the base; 1 for any other.
 */
export function tellingOf(folded: string, language: Language): number {
  const rank = RANKS[language].get(folded);
  if (rank === undefined) return 1;
  const share = Math.log(Math.max(rank, COMMONEST) / COMMONEST) / Math.log(LAST / COMMONEST);
  return LEAST + (1 - LEAST) * Math.min(1, share);
}
