import type { EventDraft } from '../../events/define.ts';
import type { AnswerRated } from '../../events/catalog/feedback.ts';
import { BelegError } from '../../events/errors.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import type { AskState, Rating } from '../ask/evolve.ts';

/** State and fold are those of the ask's stream: a rating stands behind the answer that it rates. */
export { evolve, initialState } from '../ask/evolve.ts';

export interface RateAnswer {
  readonly request_id: string;
  readonly rating: Rating;
  readonly feedback: string | null;
}

/**
 * Rates the newest answer of a request: one rating each, a further one replaces it (`updated`), also by the same
 * value. `UNKNOWN_REQUEST_ID` where nothing was answered under this id.
 */
export function decide(command: RateAnswer, state: AskState): readonly EventDraft<typeof AnswerRated>[] {
  if (state.answer === null) throw new BelegError('UNKNOWN_REQUEST_ID');
  const { request_id, rating, feedback, ...unread } = command;
  assertAllRead(unread);
  const updated = state.answer.rating !== null;
  return [{ type: 'AnswerRated', data: { request_id, rating, feedback, updated } }];
}
