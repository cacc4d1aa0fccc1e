import type { ErrorCode } from '../../../events/error-codes.ts';
import type { BelegError } from '../../../events/errors.ts';

/** Seconds after which a retry makes sense, if the service that failed has not said. */
const RETRY_AFTER_S: Partial<Record<ErrorCode, number>> = {
  OVERLOADED: 1,
  SERVICE_UNAVAILABLE: 2,
  NO_RESPONDERS: 2,
  RESPONDER_LOST: 1,
  DEADLINE_EXCEEDED: 2,
  WRONG_EXPECTED_REVISION: 1,
  STORE_UNAVAILABLE: 5,
  AUDIT_UNAVAILABLE: 5,
  INDEX_NOT_READY: 5,
  REINDEX_RUNNING: 10,
  RECONCILING: 1,
  BROKER_UNAVAILABLE: 2,
};

/** Seconds for `Retry-After`, rounded up; `undefined` if waiting does not help. */
export function retryAfterOf(error: BelegError): number | undefined {
  const seconds = error.retryAfter ?? RETRY_AFTER_S[error.code];
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds));
}
