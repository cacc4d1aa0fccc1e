import type { EventDraft } from '../../events/define.ts';
import type { CommentRecorded } from '../../events/catalog/feedback.ts';
import { BelegError } from '../../events/errors.ts';
import type { AskState } from '../ask/evolve.ts';

/** A comment is about an answer, so it is judged by the state of the ask's stream and recorded in `comments`. */
export { evolve, initialState } from '../ask/evolve.ts';

export interface CommentOnAnswer {
  readonly request_id: string;
  /** Trimmed and checked for its length by the message schema. */
  readonly comment: string;
}

/** Any number of comments on a known answer; they change nothing else. `UNKNOWN_REQUEST_ID` for any other id. */
export function decide(
  { request_id, comment }: CommentOnAnswer,
  state: AskState,
): readonly EventDraft<typeof CommentRecorded>[] {
  if (state.answer === null) throw new BelegError('UNKNOWN_REQUEST_ID');
  return [{ type: 'CommentRecorded', data: { request_id, comment } }];
}
