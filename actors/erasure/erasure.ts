import type { DraftOf, ErasureEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

type ErasureStatus =
  /** No erasure was requested. */
  | 'none'
  /** An erasure is requested but not done. After a crash it is done again. */
  | 'requested'
  | 'erased';

/** The lifecycle of the erasure of one request. */
export const ERASURE_LIFECYCLE = new Lifecycle<ErasureStatus, ErasureEvent['type']>('erasure', 'none', {
  none: { ErasureRequested: 'requested' },
  requested: { TextErased: 'erased' },
  erased: {},
});

type ErasureDraft = DraftOf<ErasureEvent>;

/** An erasure that was requested and is not done yet. */
interface PendingErasure {
  /** The id of the erasure's `ErasureRequested` event. */
  readonly id: string;
  readonly correlationId: string;
}

/** The state of the stream `erasures`, by request id. */
export interface ErasuresState {
  readonly pending: ReadonlyMap<string, PendingErasure>;
  /** The time of each erasure (ISO 8601). */
  readonly erased: ReadonlyMap<string, string>;
}

type ErasureCommand =
  | {
      readonly type: 'request-erasure';
      readonly request_id: string;
      readonly reason: string;
      readonly by: 'operator' | 'retention';
    }
  /** Records that the key of the text is deleted. */
  | { readonly type: 'complete-erasure'; readonly request_id: string };

export const initialState = (): ErasuresState => ({ pending: new Map(), erased: new Map() });

/**
 * Applies an event. It writes to the given state and returns it, because erasures are kept for good and a copy for each
 * event would take ever longer.
 *
 * @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now.
 */
export function evolve(state: ErasuresState, event: ErasureEvent): ErasuresState {
  const pending = state.pending as Map<string, PendingErasure>;
  const erased = state.erased as Map<string, string>;
  const { request_id } = event.data;
  ERASURE_LIFECYCLE.next(statusOf(state, request_id), event.type);
  switch (event.type) {
    case 'ErasureRequested':
      pending.set(request_id, { id: event.id, correlationId: event.metadata.$correlationId });
      return state;
    case 'TextErased':
      pending.delete(request_id);
      erased.set(request_id, event.metadata.at);
      return state;
  }
}

/**
 * Decides on a command. Gives no events if the erasure was decided before. The caller must know that the request id is
 * on record.
 */
export function decide(command: ErasureCommand, state: ErasuresState): readonly ErasureDraft[] {
  const { request_id } = command;
  const status = statusOf(state, request_id);
  switch (command.type) {
    case 'request-erasure':
      if (!ERASURE_LIFECYCLE.mayFollow(status, 'ErasureRequested')) return [];
      return [{ type: 'ErasureRequested', data: { request_id, reason: command.reason, by: command.by } }];
    case 'complete-erasure':
      return ERASURE_LIFECYCLE.mayFollow(status, 'TextErased')
        ? [{ type: 'TextErased', data: { request_id } }]
        : [];
  }
}

function statusOf(state: ErasuresState, requestId: string): ErasureStatus {
  if (state.erased.has(requestId)) return 'erased';
  return state.pending.has(requestId) ? 'requested' : 'none';
}
