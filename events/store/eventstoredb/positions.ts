import type { Position as ServerPosition } from '@eventstore/db-client';
import { BelegError } from '../../errors.ts';
import type { Position } from '../store.ts';

const PART = 20;
const FORM = /^(\d{20})-(\d{20})$/;

/**
 * Commit and prepare position together, because a checkpoint may lie after the last event, where one of them does not
 * determine the other.
 */
export function toPosition({ commit, prepare }: ServerPosition): Position {
  return `${String(commit).padStart(PART, '0')}-${String(prepare).padStart(PART, '0')}` as Position;
}

/** @throws {BelegError} `POSITION_UNKNOWN` for what is no position of this store */
export function fromPosition(position: Position): ServerPosition {
  const [, commit, prepare] = FORM.exec(position) ?? [];
  // A prepare position cannot be after its commit position. The server would break off the call as if it were away.
  if (commit === undefined || prepare === undefined || prepare > commit) {
    throw new BelegError('POSITION_UNKNOWN');
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}
