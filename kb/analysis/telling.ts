import type { Language } from '../source.ts';
import { fold } from './analysis.ts';
import { COMMON } from './common-words.ts';

/** The weight of the most frequent words, relative to a word outside of everyday speech. */
const LEAST = 0.3;
/** Up to this rank a word has the least weight. */
const COMMONEST = 50;

/** From this value on a word says something about the subject, unlike `hoch`, `gibt`, `kostet`. */
export const SAYS_SOMETHING = 0.7;

const RANKS: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  de: ranksOf('de'),
  en: ranksOf('en'),
};
const LAST = Math.min(RANKS.de.size, RANKS.en.size);

function ranksOf(language: Language): ReadonlyMap<string, number> {
  const words = new Set(COMMON[language].split(/\s+/u).map((word) => fold(word, language)));
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
