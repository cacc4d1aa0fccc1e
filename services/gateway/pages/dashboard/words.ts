import { ServiceError } from '../http.ts';
import { state } from './state.ts';

/** Codes of the service in a trader's words; the others speak for themselves. */
const WORDS: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: 'Not enough cash for this order.',
  SHORT_NOT_ALLOWED: 'You cannot sell more than you hold: short positions are not allowed.',
  RISK_LIMIT: 'The order exceeds a risk limit.',
  MARKET_DATA_MISSING: 'There is no price for this ticker yet.',
  PRICE_REQUIRED: 'This type of order needs a price.',
  QUANTITY_STEP: 'The quantity is not a multiple of the smallest lot.',
  TRADING_INACTIVE:
    'Trading is stopped: you can only close positions and cancel orders. Start trading first.',
  TRADING_HALTED: 'Trading is halted: you can only close positions and cancel orders.',
  NOT_CANCELLABLE: 'The order can no longer be cancelled.',
  UNKNOWN_ORDER: 'There is no such order.',
  UNKNOWN_TICKER: 'There is no such ticker.',
  NO_POSITION: 'There is no position to close.',
  CLIENT_ORDER_ID_REUSED: 'Another order already has this id; nothing was placed.',
  MODEL_NOT_READY: 'There is no model for this yet.',
  ALREADY_TRAINING: 'A training is already running.',
  NOT_TRAINING: 'No training is running.',
  WEIGHTS_MISSING: 'No weights have been saved yet.',
  WEIGHTS_MISMATCH:
    'The saved weights belong to a different network than the configured one. The weights in use stay in use.',
  WEIGHTS_DAMAGED: 'The saved weights are damaged. The weights in use stay in use.',
  UPDATE_RUNNING: 'An update is already running.',
  RECONCILING: 'The account is being compared with the broker. Try again in a moment.',
  STORE_UNAVAILABLE: 'The record cannot be written right now: nothing was changed. Try again shortly.',
};

/** What went wrong, in one or two sentences. */
export function explain(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'The service did not answer.';
  const { code, title, detail } = error.problem;
  if (error.status === 401) return state.readOnly ? 'This key is read-only.' : 'A valid key is needed.';
  const said = WORDS[code] ?? `${title}.`;
  if (!detail || detail === title) return said;
  const why = `${detail}${/[.!?]$/.test(detail) ? '' : '.'}`;
  return code === 'ALREADY_TRAINING' ? why : `${said} ${why}`;
}

const NOTHING_DONE = new Set(['STORE_UNAVAILABLE', 'RECONCILING', 'NO_RESPONDERS', 'OVERLOADED']);

/** Whether the service has said that it did not do it; otherwise it may have. */
export function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status < 500 || NOTHING_DONE.has(error.problem.code));
}
