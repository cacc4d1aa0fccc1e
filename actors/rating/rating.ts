import type { EventDraft } from '../../events/define.ts';
import type { AnswerRated } from '../../events/catalog/feedback.ts';
import { BelegError } from '../../events/errors.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import { ratingStatus, type AskState } from '../ask/evolve.ts';
import { RATING_LIFECYCLE, type Rating } from './lifecycle.ts';

export interface RateAnswer {
  readonly request_id: string;
  readonly rating: Rating;
  readonly feedback: string | null;
}

/**
 * Rates the newest answer of a request. Each answer has one rating: a further one replaces it (`updated`), even with
 * the same value.
 *
 * @throws {BelegError} `UNKNOWN_REQUEST_ID` if nothing was answered under this id.
 */
export function decide(command: RateAnswer, state: AskState): readonly EventDraft<typeof AnswerRated>[] {
  const { request_id, rating, feedback, ...unread } = command;
  assertAllRead(unread);
  const status = ratingStatus(state);
  if (!RATING_LIFECYCLE.mayFollow(status, `AnswerRated ${rating}`))
    throw new BelegError('UNKNOWN_REQUEST_ID');
  return [{ type: 'AnswerRated', data: { request_id, rating, feedback, updated: status !== 'unrated' } }];
}

/** @throws {BelegError} `UNKNOWN_REQUEST_ID` if nothing was answered under this id. */
export function assertAnswered(state: AskState): void {
  if (ratingStatus(state) === 'unanswered') throw new BelegError('UNKNOWN_REQUEST_ID');
}
