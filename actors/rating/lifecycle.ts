import type { AskEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

export type Rating = 'up' | 'down';

/** The rating of a request's newest answer; `unanswered`: there is none yet. */
export type RatingStatus = 'unanswered' | 'unrated' | Rating;

/** The events of the stream that concern a rating, with what they say. */
type RatingEventType = 'AnswerGiven' | `AnswerRated ${Rating}`;

/** An answer can be rated, and a rating can be replaced. */
const RATED = { 'AnswerRated up': 'up', 'AnswerRated down': 'down' } as const;

/**
 * A further answer is unrated, whatever the rating of the one before. The ask for it changes nothing while it is under way,
 * nor if it fails: until then the rating is that of the earlier answer.
 */
export const RATING_LIFECYCLE = new Lifecycle<RatingStatus, RatingEventType>('rating', 'unanswered', {
  unanswered: { AnswerGiven: 'unrated' },
  unrated: { AnswerGiven: 'unrated', ...RATED },
  up: { AnswerGiven: 'unrated', ...RATED },
  down: { AnswerGiven: 'unrated', ...RATED },
});

/** `null` if the event does not concern the rating. */
export function ratingEventOf(event: AskEvent): RatingEventType | null {
  if (event.type === 'AnswerRated') return `AnswerRated ${event.data.rating}`;
  return event.type === 'AnswerGiven' ? event.type : null;
}
