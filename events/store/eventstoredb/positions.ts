import type { Position as ServerPosition } from '@eventstore/db-client';
import { BelegError } from '../../errors.ts';
import type { Position } from '../store.ts';

const PART = 20;
const FORM = /^(\d{20})-(\d{20})$/;

/**
 * A position as text, of commit and prepare position together. A checkpoint may lie after the last event, where one of
 * the two does not determine the other.
 */
export function toPosition({ commit, prepare }: ServerPosition): Position {
  return `${String(commit).padStart(PART, '0')}-${String(prepare).padStart(PART, '0')}` as Position;
}

/**
 * The server's form of a position.
 *
 * @throws {BelegError} `POSITION_UNKNOWN` for a text that is no position of this store.
 */
export function fromPosition(position: Position): ServerPosition {
  const [, commit, prepare] = FORM.exec(position) ?? [];
  // A prepare position cannot be after its commit position. For such a position the server would break off the call as
  // if it were away.
  if (commit === undefined || prepare === undefined || prepare > commit) {
    throw new BelegError('POSITION_UNKNOWN');
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}
