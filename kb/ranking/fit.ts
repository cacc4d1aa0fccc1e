import type { Kind } from './signs.ts';
import type { Word } from '../analysis/word.ts';

/** A content word of a question, with what it counts for when passages are held against it. */
export interface AskedWord extends Word {
  /** Passages of the base that hold the stem. */
  readonly passageFrequency: number;
  readonly weight: number;
  /** A noun, a name or a figure: it says what is asked about. */
  readonly noun: boolean;
  /** A country or the number of a provision: without it the question is another one. */
  readonly named: boolean;
  /** Stands somewhere in the base: not mistyped, then. */
  readonly known: boolean;
  /** True if it was corrected to a similar word that the base has. */
  readonly corrected: boolean;
  /** How much rather it stands in questions that no source answers than in those that one does. */
  readonly unanswered: number;
  /** Stems that the base's synonyms give for it. */
  readonly synonyms: readonly string[];
}

/** The features of candidates of which some say how they are asked for; 0 for the others. */
export interface WayFeatures {
  /** How well it fits the lines on average that fit best; pairs of words that stand side by side in both. */
  readonly askedOften: number;
  readonly sideBySide: number;
  /** How telling the words are for this one among the candidates: by how many of its texts have them (naive Bayes). */
  readonly usual: number;
  /** 4-grams in common with the line that has most. */
  readonly letters: number;
  /** Likeness of the question to the nearest of its texts, to the three nearest, and to the title. */
  readonly nearest: number;
  readonly near: number;
  readonly nearTitle: number;
}

/** How a question lies between lines that a source answers and lines that none of the candidates does. */
export interface LineFits {
  /**
   * How much nearer the nearest line is that it answers than the nearest that is asked near any of the candidates and not
   * answered, -1 … 1. Of a story with several sentences that of the sentence that tells most.
   */
  readonly nearer: number;
  /** How many are not answered of the lines of all candidates that are nearest, each by how well it fits. */
  readonly unansweredShare: number;
}

/** Every value lies about in 0 … 1, so that weights can be compared. */
export interface Features extends WayFeatures {
  /** Score of the search against the best one. */
  readonly score: number;
  /** Shares of the question: in the best sentence; and in the first one with the title, where words count by their rarity among the candidates. */
  readonly sentence: number;
  readonly opening: number;
  /** The share of the question that the passage has, under its headings. */
  readonly question: number;
  /** The share that one of its sentences has, under its headings: words that stand together rather mean what is asked. */
  readonly stretch: number;
  /** Share of the question that the title has, by how few of the candidates have a word. */
  readonly title: number;
  /** Something of the kind that is asked for stands in the passage, and in its best sentence. */
  readonly wanted: number;
  readonly wantedThere: number;
  /** The title announces something else (`Dauer` where the amount is asked for). */
  readonly titleOther: number;
  /**
   * Whether it is in the language of the question; whether it holds for a year that is asked about, or names one that no
   * source is kept for.
   */
  readonly language: number;
  readonly year: number;
}

/** How a source that was found fits the question. */
export interface Match {
  /**
   * Content words of the question, the same for all hits of one search: `weight` is the share of it that each is, `known` is
   * also what the base's synonyms know.
   */
  readonly words: readonly AskedWord[];
  /** How well title, passages and lines of the source have each word, 0 … 1. */
  readonly found: readonly number[];
  /** How well the best of all hits of the search has each word. */
  readonly anywhere: readonly number[];
  /** Share of the question that its title has. */
  readonly inTitle: number;
  /** What it is judged by. */
  readonly kind: Kind;
  /** How the question lies between lines that it answers and lines that none of the hits does. */
  readonly lineFits: LineFits;
  /** What the order of the hits rests on. */
  readonly features: Features;
  /** Likelihood that this one is meant, among the hits of the search, 0 … 1. */
  readonly share: number;
  /** Score of the search, which the hit's place may have lost. */
  readonly score: number;
  /** The question asks for a fact of the asker's own. */
  readonly own: boolean;
}
