import { isBelegError, NOT_IN_TIME } from '../../events/errors.ts';
import { TablesMoved } from '../../events/projections/tables.ts';
import { isDiskFault } from '../../events/sqlite/faults.ts';

/**
 * Whether something has only not answered within its time. It is slow, and a further try may help; what is away says so by
 * another detail, and a fault of the disk by its cause.
 */
export function isLate(error: unknown): boolean {
  if (isBelegError(error, 'DEADLINE_EXCEEDED', 'OVERLOADED')) return true;
  if (!isBelegError(error, 'STORE_UNAVAILABLE', 'BROKER_UNAVAILABLE')) return false;
  if (isBelegError(error.cause)) return isLate(error.cause);
  return (error.detail ?? NOT_IN_TIME) === NOT_IN_TIME && !isDiskFault(error.cause);
}

/** Whether another process has gone on with what this one was doing, as it does for one that stood still. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof TablesMoved || isBelegError(error, 'WRONG_EXPECTED_REVISION');

/**
 * The level of the log for a failure that is tried again: nobody has to do anything for what is only slow, or has another
 * holder.
 */
export const failureLevel = (error: unknown): 'warn' | 'error' =>
  isLate(error) || isOvertaken(error) ? 'warn' : 'error';
