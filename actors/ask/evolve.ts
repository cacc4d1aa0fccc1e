import type { AskEvent } from '../../events/catalog/catalog.ts';
import { ASK_LIFECYCLE, type AskStatus } from './lifecycle.ts';

export type Rating = 'up' | 'down';

/** The newest answer of a request: what ratings and comments refer to. */
export interface AnswerState {
  /** Id of its `AnswerGiven` event. */
  readonly id: string;
  readonly rating: Rating | null;
}

/** The stream `ask-<request_id>`, folded. */
export interface AskState {
  /** Asks that have begun and not ended, by the call that caused them: a repeated request id can ask twice at once. */
  readonly running: Readonly<Record<string, AskStatus>>;
  /** Outlives a further ask until that is answered. */
  readonly answer: AnswerState | null;
}

export const initialState = (): AskState => ({ running: {}, answer: null });

/** Pure fold of one event; `STREAM_CORRUPT` for one that the lifecycle does not allow at this place. */
export function evolve(state: AskState, event: AskEvent): AskState {
  if (event.type === 'AnswerRated') {
    return {
      ...state,
      answer: state.answer === null ? null : { ...state.answer, rating: event.data.rating },
    };
  }
  const call = event.metadata.$causationId;
  const { [call]: before, ...others } = state.running;
  const status = ASK_LIFECYCLE.next(before ?? 'new', event.type);
  return {
    running: ASK_LIFECYCLE.hasEnded(status) ? others : { ...others, [call]: status },
    answer: event.type === 'AnswerGiven' ? { id: event.id, rating: null } : state.answer,
  };
}
