import type { Kind } from './ranking/signs.ts';

/** The thresholds of answering: likelihoods from 0 to 1 that decide whether a question is answered, and with which reservation. */

/**
 * Below this likelihood that the best source answers it, a question is refused. Sources that say in `asked` how people ask
 * for them are `lined`; of others more is demanded, and passages of documents have a scale of their own.
 */
export const ANSWER_FROM: Readonly<Record<Kind, number>> = { lined: 0.45, unlined: 0.72, document: 0.18 };

/** The share of `ANSWER_FROM` that is enough for a later part of a question whose first part is answered. */
export const LATER_PART_SHARE = 0.3;

/** A question of one word is answered from this likelihood on that the word means the best source. */
export const ONE_WORD_FROM = 0.25;

/** Below this an answer is more likely about something else than about the question: it is marked as doubtful. */
export const RELEVANT = 0.5;

/**
 * If the first part of a question is not answered, a later part must be this likely, since it leans on the first (`and
 * how much do I get there?`).
 */
export const LATER_PART_ALONE = 0.8;

/** A later part asks for something else if a smaller share of its words than this is in the best source. */
export const LATER_PART_FOUND = 0.4;
