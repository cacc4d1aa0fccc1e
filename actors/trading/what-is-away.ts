import { isBelegError } from '../../events/errors.ts';

/** The services that the engine needs. */
export type Surrounding = 'market' | 'broker' | 'store';

/** The surrounding that did not answer; `null` for a fault that a further try does not mend. */
export function whatIsAway(error: unknown): Surrounding | null {
  if (isBelegError(error, 'BROKER_UNAVAILABLE')) return 'broker';
  if (isBelegError(error, 'STORE_UNAVAILABLE', 'WRONG_EXPECTED_REVISION', 'DEADLINE_EXCEEDED'))
    return 'store';
  if (isBelegError(error, 'NO_RESPONDERS', 'RESPONDER_LOST', 'SERVICE_UNAVAILABLE', 'OVERLOADED'))
    return 'market';
  return null;
}
