import { BelegError, isBelegError } from '../../events/errors.ts';

/** Whichever part of the record is away, the client is told that the record is away. */
export const toAuditError = (error: unknown): unknown =>
  isBelegError(error, 'STORE_UNAVAILABLE', 'SERVICE_UNAVAILABLE')
    ? new BelegError('AUDIT_UNAVAILABLE', { cause: error })
    : error;
