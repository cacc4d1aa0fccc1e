import type { AskEvent } from '../../events/catalog/catalog.ts';
import { nextStatus, type AskStatus } from './lifecycle.ts';

export type Rating = 'up' | 'down';

/** The newest answer of a request: what ratings and comments refer to. */
export interface AnswerState {
  /** Id of its `AnswerGiven` event. */
  readonly id: string;
  readonly requestId: string;
  readonly rating: Rating | null;
}

/** The stream `ask-<request_id>`, folded. `answer` outlives a later question under the same id until that is answered. */
export interface AskState {
  readonly status: AskStatus;
  readonly answer: AnswerState | null;
}

export const initialState: AskState = { status: 'new', answer: null };

/** Pure fold of one event; `STREAM_CORRUPT` for one that the lifecycle does not know at this place. */
export function evolve(state: AskState, event: AskEvent): AskState {
  switch (event.type) {
    case 'AnswerGiven':
      return {
        status: nextStatus(state.status, event.type),
        answer: { id: event.id, requestId: event.data.request_id, rating: null },
      };
    case 'AnswerRated':
      return {
        ...state,
        answer: state.answer === null ? null : { ...state.answer, rating: event.data.rating },
      };
    case 'QuestionAsked':
    case 'PassagesRetrieved':
    case 'AnswerDrafted':
    case 'DraftVerified':
    case 'AskFailed':
      return { ...state, status: nextStatus(state.status, event.type) };
  }
}
