import type { EventDraft } from '../../events/define.ts';
import type { AnswerRated } from '../../events/catalog/feedback.ts';
import { BelegError } from '../../events/errors.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import type { AnswerState, AskState, Rating } from '../ask/evolve.ts';

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
  const answer = assertAnswered(state);
  const { request_id, rating, feedback, ...unread } = command;
  assertAllRead(unread);
  const updated = answer.rating !== null;
  return [{ type: 'AnswerRated', data: { request_id, rating, feedback, updated } }];
}

/** Its newest answer. @throws {BelegError} `UNKNOWN_REQUEST_ID` where nothing was answered under this id. */
export function assertAnswered({ answer }: AskState): AnswerState {
  if (answer === null) throw new BelegError('UNKNOWN_REQUEST_ID');
  return answer;
}
