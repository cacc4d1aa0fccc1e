import { isBelegError, NOT_IN_TIME } from '../../events/errors.ts';
import { TablesMoved } from '../../events/projections/tables.ts';
import { isDiskFault } from '../../events/sqlite/faults.ts';

/**
 * Whether a service has only not answered within its time. It is slow, and a further try may help. A service that is
 * away has another detail, and a fault of the disk another cause.
 */
export function isLate(error: unknown): boolean {
  if (isBelegError(error, 'DEADLINE_EXCEEDED', 'OVERLOADED')) return true;
  if (!isBelegError(error, 'STORE_UNAVAILABLE', 'BROKER_UNAVAILABLE')) return false;
  if (isBelegError(error.cause)) return isLate(error.cause);
  return (error.detail ?? NOT_IN_TIME) === NOT_IN_TIME && !isDiskFault(error.cause);
}

/** Whether another process has taken over the work of this one, as happens if this one stood still. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof TablesMoved || isBelegError(error, 'WRONG_EXPECTED_REVISION');

/**
 * The log level for a failure that is tried again. A slow service, or another holder, is only a warning, because nobody
 * has to act.
 */
export const failureLevel = (error: unknown): 'warn' | 'error' =>
  isLate(error) || isOvertaken(error) ? 'warn' : 'error';
