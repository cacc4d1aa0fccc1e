import type { AskEvent } from '../../events/catalog/catalog.ts';
import { RATING_LIFECYCLE, ratingEventOf, type Rating, type RatingStatus } from '../rating/lifecycle.ts';
import { ASK_LIFECYCLE, type AskStatus } from './lifecycle.ts';

/** The newest answer of a request, to which ratings and comments belong. */
interface AnswerState {
  /** The id of the answer's `AnswerGiven` event. */
  readonly id: string;
  /** The rating; `null` while the answer is unrated. */
  readonly rating: Rating | null;
}

/** The state of the stream `ask-<request_id>`. */
export interface AskState {
  /**
   * Asks that have begun and not ended, by the call that caused them: with a repeated request id two can run at once.
   */
  readonly running: Readonly<Record<string, AskStatus>>;
  /** The newest answer. While the question is asked again, it stays until there is a new one. */
  readonly answer: AnswerState | null;
}

export const initialState = (): AskState => ({ running: {}, answer: null });

/** The rating of the newest answer. */
export function ratingStatus({ answer }: AskState): RatingStatus {
  return answer === null ? 'unanswered' : (answer.rating ?? 'unrated');
}

/** Applies an event; throws `STREAM_CORRUPT` for an event that is not legal now. */
export function evolve(state: AskState, event: AskEvent): AskState {
  return {
    running: event.type === 'AnswerRated' ? state.running : evolveAsk(state.running, event),
    answer: evolveAnswer(state, event),
  };
}

function evolveAsk(
  running: AskState['running'],
  { type, metadata }: Exclude<AskEvent, { type: 'AnswerRated' }>,
): AskState['running'] {
  const call = metadata.$causationId;
  const { [call]: before, ...others } = running;
  const status = ASK_LIFECYCLE.next(before ?? 'new', type);
  return ASK_LIFECYCLE.hasEnded(status) ? others : { ...others, [call]: status };
}

function evolveAnswer(state: AskState, event: AskEvent): AnswerState | null {
  const told = ratingEventOf(event);
  if (told === null) return state.answer;
  const rating = RATING_LIFECYCLE.next(ratingStatus(state), told);
  if (rating === 'unrated' || rating === 'unanswered') return { id: event.id, rating: null };
  return { ...state.answer!, rating };
}
