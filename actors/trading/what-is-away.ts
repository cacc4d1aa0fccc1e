import { isBelegError } from '../../events/errors.ts';

/** The services that the engine needs. */
export type Surrounding = 'market' | 'broker' | 'store';

/** Error codes of the bus. Only the market is asked over the bus; the store and the broker have codes of their own. */
const OF_THE_BUS = [
  'NO_RESPONDERS',
  'RESPONDER_LOST',
  'DEADLINE_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'OVERLOADED',
] as const;

/** The service that did not answer; `null` for a fault that a further try does not mend. */
export function whatIsAway(error: unknown): Surrounding | null {
  if (isBelegError(error, 'BROKER_UNAVAILABLE')) return 'broker';
  if (isBelegError(error, 'STORE_UNAVAILABLE', 'WRONG_EXPECTED_REVISION')) return 'store';
  if (isBelegError(error, ...OF_THE_BUS)) return 'market';
  return null;
}
