import type { Kind } from './ranking/signs.ts';

/**
 * The thresholds of answering: probabilities, and shares of words, from 0 to 1 that decide whether a question is answered, and
 * with which reservation.
 */

/**
 * Below this probability of an answer in the best source a question is refused. `lined` is for sources with lines of
 * `asked`; others need more, and passages of documents have a scale of their own.
 */
export const ANSWER_FROM: Readonly<Record<Kind, number>> = { lined: 0.45, unlined: 0.72, document: 0.25 };

/** The share of `ANSWER_FROM` that is enough where the own heading of the best passage stands in the question, word for word. */
export const NAMED_SHARE = 0.6;

/**
 * What a passage of a document needs where a thing that makes up at least this share of the question stands nowhere in the base: it
 * likely answers another question (`Wie installiere ich das auf dem Tablet?`).
 */
export const UNKNOWN_THING = { share: 0.2, from: 0.5 } as const;

/** A later part that leans on a question that is answered needs only this share of `ANSWER_FROM`. */
export const LATER_PART_SHARE = 0.3;

/** A question of one word is answered from this probability on that the word means the best source. */
export const ONE_WORD_FROM = 0.25;

/** A figure in a passage of a document answers if its sentence has at least this share of what is asked about. */
export const FIGURE_BESIDE = 0.44;

/** With a lower probability the answer may be about something else than the question, and is marked as doubtful. */
export const RELEVANT = 0.5 as const;

/** The probability that a part needs if it leans on a question that is not answered (`and how much do I get there?`). */
export const LATER_PART_ALONE = 0.8;

/** A leaning part whose best source has less than this share of its words asks about something else. */
export const LATER_PART_FOUND = 0.4;
