import type { Bm25 } from './postings.ts';

/**
 * What the index is built with and asked with. Chosen on the development halves of XQuAD de, SQuAD 2.0 en and the
 * statutes, flat around the values; part of the snapshot's hash.
 */
export interface RetrievalSettings {
  readonly words: Bm25;
  readonly grams: Bm25;
  /** A title's or section's word counts for so many in the text. */
  readonly titleWeight: number;
  readonly sectionWeight: number;
  /** The same for a word of the lines that say how people ask for it. */
  readonly askedWeight: number;
  /** A source's score: that of its best passage, and this share of its first one's, since texts open with their subject. */
  readonly openingWeight: number;
  /** A part of a compound in the question, against the whole word. */
  readonly partWeight: number;
  /** The 4-gram score, against the word score. */
  readonly gramWeight: number;
  /** The score of a synonym's words, against that of the question's words that they stand for. */
  readonly synonymWeight: number;
  /** The cosine of the dense leg, against the word score. */
  readonly denseWeight: number;
}

export const DEFAULT_SETTINGS: RetrievalSettings = {
  words: { k1: 1.2, b: 0.5 },
  grams: { k1: 1.2, b: 0.5 },
  titleWeight: 1.5,
  sectionWeight: 0.5,
  askedWeight: 0.6,
  openingWeight: 0.3,
  partWeight: 0.5,
  gramWeight: 1,
  synonymWeight: 1.25,
  denseWeight: 1,
};
