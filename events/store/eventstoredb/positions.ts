import type { Position as ServerPosition } from '@eventstore/db-client';
import { BelegError } from '../../errors.ts';
import type { Position } from '../store.ts';

const PART = 20;
const FORM = /^(\d{20})-(\d{20})$/;

/** Commit and prepare, both: a checkpoint may lie past the last event, where the one does not give the other. */
export function toPosition({ commit, prepare }: ServerPosition): Position {
  return `${String(commit).padStart(PART, '0')}-${String(prepare).padStart(PART, '0')}` as Position;
}

/** @throws {BelegError} `POSITION_UNKNOWN` for what is no position of this store */
export function fromPosition(position: Position): ServerPosition {
  const [, commit, prepare] = FORM.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new BelegError('POSITION_UNKNOWN');
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

/**
 * Where the last event of an append stands. The server answers with the commit position, which is that event's, and
 * the prepare position of the first one; in `$all` an event has its own place for both.
 */
export const lastOfAppend = ({ commit }: ServerPosition): Position => toPosition({ commit, prepare: commit });
