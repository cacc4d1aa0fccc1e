import type { Json } from '../../events/json.ts';
import { BelegError } from '../../events/errors.ts';
import type { AccountState } from './state.ts';

/** Of another version: fold from the start. */
export const SNAPSHOT_VERSION = 1;

/** The whole state as JSON: a cache that can be thrown away at any time. */
export function toSnapshot(state: AccountState): Json {
  throw new BelegError('INTERNAL', { detail: state.currency });
}

/** @throws {z.ZodError} for what `toSnapshot` of this version did not write. */
export function fromSnapshot(snapshot: Json): AccountState {
  throw new BelegError('INTERNAL', { detail: typeof snapshot });
}

/** SHA-256 of the state: the same live, on replay, and from snapshot plus tail. */
export function stateHash(state: AccountState): string {
  throw new BelegError('INTERNAL', { detail: state.currency });
}
