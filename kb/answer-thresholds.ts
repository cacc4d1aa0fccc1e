import type { Kind } from './ranking/signs.ts';

/**
 * The thresholds for answering: probabilities, and shares of words, from 0 to 1. They decide whether a question is
 * answered, and with which reservation.
 */

/**
 * A question is refused if the best source's probability of answering it is lower than this. `lined` is for sources
 * with lines of `asked`; other sources need more, and passages of documents have a scale of their own.
 */
export const ANSWER_FROM: Readonly<Record<Kind, number>> = { lined: 0.45, unlined: 0.72, document: 0.25 };

/** The share of `ANSWER_FROM` that is enough if the question contains the best passage's own heading literally. */
export const NAMED_SHARE = 0.6;

/**
 * The probability that a passage of a document needs if a thing that makes up at least this share of the question
 * occurs nowhere in the base. Such a passage likely answers another question (`Wie installiere ich das auf dem
 * Tablet?`).
 */
export const UNKNOWN_THING = { share: 0.2, from: 0.5 } as const;

/** The share of `ANSWER_FROM` that a later part needs if it depends on a part that is answered. */
export const LATER_PART_SHARE = 0.3;

/** A question of one word is answered from this probability on that the word means the best source. */
export const ONE_WORD_FROM = 0.25;

/**
 * A figure in a passage of a document answers a question if its sentence contains at least this share of the question's
 * subject.
 */
export const FIGURE_BESIDE = 0.44;

/** With a lower probability the answer may be about something else than the question, and is marked as doubtful. */
export const RELEVANT = 0.5 as const;

/** The probability that a part needs if it depends on a part that is not answered (`and how much do I get there?`). */
export const LATER_PART_ALONE = 0.8;

/** A dependent part whose best source contains less than this share of its words asks about something else. */
export const LATER_PART_FOUND = 0.4;
