import { ServiceError } from '../http.ts';
import { state } from './state.ts';

/** Errors that need other words for a trader than the service's. */
const WORDS: Readonly<Record<string, string>> = {
  TRADING_INACTIVE:
    'Trading is stopped: you can only close positions and cancel orders. Start trading first.',
  WEIGHTS_MISMATCH:
    'The saved weights belong to a different network than the configured one. The weights in use stay in use.',
  WEIGHTS_DAMAGED: 'The saved weights are damaged. The weights in use stay in use.',
  STORE_UNAVAILABLE: 'The record cannot be written right now: nothing was changed. Try again shortly.',
};

/** The error in one or two sentences. */
export function explain(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'The service did not answer.';
  const { code, title, detail } = error.problem;
  if (error.status === 401) return state.readOnly ? 'This key is read-only.' : 'A valid key is needed.';
  if (error.status === 429) return `Too many requests. Try again in ${Math.max(1, error.retryAfter)} s.`;
  const said = WORDS[code] ?? `${title}.`;
  if (!detail || detail === title) return said;
  const why = `${detail}${/[.!?]$/.test(detail) ? '' : '.'}`;
  return code === 'ALREADY_TRAINING' ? why : `${said} ${why}`;
}

const NOTHING_DONE = new Set(['STORE_UNAVAILABLE', 'RECONCILING', 'NO_RESPONDERS', 'OVERLOADED']);

/** Whether the service has refused the command; after any other error the command may have been executed. */
export function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status < 500 || NOTHING_DONE.has(error.problem.code));
}
