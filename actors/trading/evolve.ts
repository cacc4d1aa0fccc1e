import { BelegError } from '../../events/errors.ts';
import type { AccountDraft } from './draft.ts';
import type { AccountState } from './state.ts';

/**
 * The state after an event, a draft or a recorded one. Consumes its argument: it writes to the state that it is given
 * and returns it, so that a fold copies nothing.
 *
 * @throws {BelegError} `STREAM_CORRUPT` for an event that cannot follow what was before.
 */
export function evolve(state: AccountState, event: AccountDraft): AccountState {
  throw new BelegError('INTERNAL', { detail: `${event.type} ${state.account}` });
}
