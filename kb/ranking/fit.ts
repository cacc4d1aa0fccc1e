import type { Kind } from './signs.ts';
import type { Word } from '../analysis/word.ts';

/** A content word of a question, with its weight in comparisons with passages. */
export interface AskedWord extends Word {
  /** The number of the base's passages with the stem. */
  readonly passageFrequency: number;
  readonly weight: number;
  /** Whether it is a noun, a name or a number, which say what is asked about. */
  readonly noun: boolean;
  /** Whether it is a country or the number of a provision, without which the question would be another one. */
  readonly named: boolean;
  /** Whether it occurs in the base, so that it is not mistyped. */
  readonly known: boolean;
  /** True if it was corrected to a similar word that the base has. */
  readonly corrected: boolean;
  /** How much more frequent it is in questions that no source answers than in answered ones. */
  readonly unanswered: number;
  /** The stems of the base's synonyms for it. */
  readonly synonyms: readonly string[];
}

/** The features of candidates if some have lines of `asked`; 0 for the others. */
export interface WayFeatures {
  /** How well the question fits its best lines on average, and pairs of neighbouring words that both have. */
  readonly askedOften: number;
  readonly sideBySide: number;
  /** How much the words speak for this candidate: how many of its texts have them (naive Bayes). */
  readonly usual: number;
  /** The 4-grams in common with the line that has the most. */
  readonly letters: number;
  /** The similarity of the question to its nearest text, to the three nearest, and to the title. */
  readonly nearest: number;
  readonly near: number;
  readonly nearTitle: number;
}

/** How near a question is to lines that a source answers, compared with lines that no candidate answers. */
export interface LineFits {
  /**
   * How much nearer its nearest answered line is than the nearest unanswered line of any candidate, -1 … 1. For a story
   * of several sentences, that of the sentence that says the most.
   */
  readonly nearer: number;
  /** The share of unanswered lines among the nearest lines of all candidates, weighted by how well each fits. */
  readonly unansweredShare: number;
}

/** All values are about 0 … 1, so that weights can be compared. */
export interface Features extends WayFeatures {
  /** The score of the search relative to the best one. */
  readonly score: number;
  /**
   * The shares of the question in the best sentence, and in the first one with the title, with words weighted by their
   * rarity among the candidates.
   */
  readonly sentence: number;
  readonly opening: number;
  /** The share of the question in the passage with its headings. */
  readonly question: number;
  /**
   * The share in one of its sentences with the headings: words that are near each other more likely mean what is asked.
   */
  readonly stretch: number;
  /** The share of the question in the title, with words weighted by how few candidates have them. */
  readonly title: number;
  /** Whether the title's own words are what is asked (`Wie lege ich einen Benutzer an?`: `Benutzer anlegen`). */
  readonly isTitle: number;
  /** Whether the passage has something of the kind that is asked for, and whether its best sentence has. */
  readonly wanted: number;
  readonly wantedThere: number;
  /** Whether the title announces another aspect (`Dauer` if the amount is asked for). */
  readonly titleOther: number;
  /**
   * Whether it is in the language of the question, and whether it is valid for a year asked about, or names one that no
   * source is kept for.
   */
  readonly language: number;
  readonly year: number;
}

/** How well a hit fits the question. */
export interface Match {
  /**
   * The content words of the question, the same for all hits of a search: `weight` is the share of each; `known`
   * includes the base's synonyms.
   */
  readonly words: readonly AskedWord[];
  /** How well title, passages and lines of the source have each word, 0 … 1. */
  readonly found: readonly number[];
  /** The same of each word in the hit that has it best. */
  readonly anywhere: readonly number[];
  /** Share of the question that its title has. */
  readonly inTitle: number;
  /** The kind of the source, by which its features are weighted. */
  readonly kind: Kind;
  /** How the question lies between lines that it answers and lines that none of the hits does. */
  readonly lineFits: LineFits;
  /** The features by which hits are put in order. */
  readonly features: Features;
  /** Likelihood that this one is meant, among the hits of the search, 0 … 1. */
  readonly share: number;
  /** Likelihood that a passage of its document is meant. */
  readonly ofDocument: number;
  /** Score of the search, which the hit's place may have lost. */
  readonly score: number;
  /** The question asks for a fact of the asker's own. */
  readonly own: boolean;
}
