import type { Kind } from './signs.ts';
import type { Word } from '../analysis/word.ts';

/** A content word of a question, with its weight in comparisons with passages. */
export interface AskedWord extends Word {
  /** The number of the base's passages with the stem. */
  readonly passageFrequency: number;
  readonly weight: number;
  /** Whether the word is a noun, a name or a number, which carry the subject of the question. */
  readonly noun: boolean;
  /**
   * Whether the word is a country or the number of a provision. Another country or number would make another question.
   */
  readonly named: boolean;
  /** Whether the word occurs in the base, so that it is not mistyped. */
  readonly known: boolean;
  /** True if the word was corrected to a similar word that the base has. */
  readonly corrected: boolean;
  /** How much more frequent the word is in questions that no source answers than in answered ones. */
  readonly unanswered: number;
  /** The stems of the base's synonyms for the word. */
  readonly synonyms: readonly string[];
}

/** The features of candidates with lines of `asked`; 0 for candidates without lines, and if no candidate has any. */
export interface WayFeatures {
  /**
   * How well the question fits the best lines of the candidate on average, and how many pairs of neighbouring words
   * both have.
   */
  readonly askedOften: number;
  readonly sideBySide: number;
  /** How much the words speak for this candidate: how many of its texts have them (naive Bayes). */
  readonly usual: number;
  /** The share of 4-grams in common with the line that shares the most. */
  readonly letters: number;
  /** The similarity of the question to its nearest text, to the three nearest, and to the title. */
  readonly nearest: number;
  readonly near: number;
  readonly nearTitle: number;
}

/** How near a question is to lines that a source answers, compared with lines that no candidate answers. */
export interface LineFits {
  /**
   * How much nearer the nearest answered line of the source is than the nearest unanswered line of any candidate, -1 …
   * 1. For a story of several sentences, the value of the sentence that says the most.
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
   * The shares of the question in the best sentence, and in the first sentence together with the title. Words are
   * weighted by their rarity among the candidates.
   */
  readonly sentence: number;
  readonly opening: number;
  /** The share of the question in the passage with its headings. */
  readonly question: number;
  /**
   * The share of the question in one of the passage's sentences together with the headings. Words that are near each
   * other more likely have the meaning of the question.
   */
  readonly stretch: number;
  /** The share of the question in the title, with words weighted by how few candidates have them. */
  readonly title: number;
  /** Whether the title's own words are the question (`Wie lege ich einen Benutzer an?`: `Benutzer anlegen`). */
  readonly isTitle: number;
  /** Whether the passage has a thing of the kind that the question asks for, and whether its best sentence has one. */
  readonly wanted: number;
  readonly wantedThere: number;
  /** Whether the title announces another aspect (`Dauer` if the amount is asked for). */
  readonly titleOther: number;
  /**
   * Whether the source is in the language of the question, and whether it is valid for a year in question, or names a
   * year for which no source is kept.
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
  /** The best value of each word among all hits. */
  readonly anywhere: readonly number[];
  /** The share of the question that the title of the hit has. */
  readonly inTitle: number;
  /** The kind of the source, by which its features are weighted. */
  readonly kind: Kind;
  /** How near the question is to lines that the source answers, compared with lines that no hit answers. */
  readonly lineFits: LineFits;
  /** The features by which hits are put in order. */
  readonly features: Features;
  /** The likelihood that this hit is meant, among the hits of the search, 0 … 1. */
  readonly share: number;
  /** The likelihood that any passage of the hit's document is meant. */
  readonly ofDocument: number;
  /**
   * The score that the search gave to this hit. `Hit.score` may be another one: when hits are put in a new order, the
   * scores stay at their positions.
   */
  readonly score: number;
  /** Whether the question asks for a fact of the asker's own case. */
  readonly own: boolean;
}
