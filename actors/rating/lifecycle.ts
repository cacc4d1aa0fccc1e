import type { AskEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

export type Rating = 'up' | 'down';

/** The rating of a request's newest answer; `unanswered` if there is no answer yet. */
export type RatingStatus = 'unanswered' | 'unrated' | Rating;

/** The events that concern a rating, with the rating in their names. */
type RatingEventType = 'AnswerGiven' | `AnswerRated ${Rating}`;

/** An answer can be rated, and a rating can be replaced. */
const RATED = { 'AnswerRated up': 'up', 'AnswerRated down': 'down' } as const;

/**
 * A new answer is unrated, whatever the rating of the one before. While a repeated question is under way, or if it
 * fails, the rating is still that of the earlier answer.
 */
export const RATING_LIFECYCLE = new Lifecycle<RatingStatus, RatingEventType>('rating', 'unanswered', {
  unanswered: { AnswerGiven: 'unrated' },
  unrated: { AnswerGiven: 'unrated', ...RATED },
  up: { AnswerGiven: 'unrated', ...RATED },
  down: { AnswerGiven: 'unrated', ...RATED },
});

/** The name of an event in this lifecycle; `null` if the event does not concern the rating. */
export function ratingEventOf(event: AskEvent): RatingEventType | null {
  if (event.type === 'AnswerRated') return `AnswerRated ${event.data.rating}`;
  return event.type === 'AnswerGiven' ? event.type : null;
}
