import type { ErasureEvent } from '../../events/catalog/catalog.ts';
import { BelegError } from '../../events/errors.ts';

export type ErasureStatus =
  /** Nobody has asked for it. */
  | 'none'
  /** To be done, and done again after a crash. */
  | 'requested'
  | 'erased';

/** The lifecycle of one request's erasure, written once: which event may follow in which status, and where it leads. */
export const ERASURE_LIFECYCLE: Readonly<
  Record<ErasureStatus, Readonly<Partial<Record<ErasureEvent['type'], ErasureStatus>>>>
> = {
  none: { ErasureRequested: 'requested' },
  requested: { TextErased: 'erased' },
  erased: {},
};

export function mayFollow(status: ErasureStatus, type: ErasureEvent['type']): boolean {
  return ERASURE_LIFECYCLE[status][type] !== undefined;
}

/** @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now. */
export function nextErasureStatus(status: ErasureStatus, type: ErasureEvent['type']): ErasureStatus {
  const next = ERASURE_LIFECYCLE[status][type];
  if (next === undefined) {
    throw new BelegError('STREAM_CORRUPT', { detail: `${type} cannot follow ${status}` });
  }
  return next;
}
