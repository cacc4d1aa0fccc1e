/**
 * The table of all errors. A code is stable, because clients and operators branch on it. Its title is for clients; an
 * error's `detail` adds what clients may know about the case, and `cause` keeps what only the log may show.
 */
export const ERRORS = {
  INVALID_REQUEST: [422, 'The request is not valid'],
  INVALID_JSON: [422, 'The body is not valid JSON'],
  REVIEW_MODE_DISABLED: [422, 'Review mode is not enabled'],
  CONTEXT_NOT_ALLOWED: [422, 'A context is only allowed in review mode'],
  PRICE_REQUIRED: [422, 'An order of this type needs a price'],
  QUANTITY_STEP: [422, 'The quantity is not a multiple of the smallest lot'],
  INSUFFICIENT_FUNDS: [422, 'There is not enough cash for this order'],
  SHORT_NOT_ALLOWED: [
    422,
    'The order sells more than is held and not being sold already, and short positions are not allowed',
  ],
  RISK_LIMIT: [422, 'The order exceeds a risk limit'],
  MARKET_DATA_MISSING: [422, 'There is no price for this ticker'],
  BAD_REQUEST: [400, 'The request is not valid HTTP'],
  UNAUTHORIZED: [401, 'A valid bearer key is required'],
  FORBIDDEN_ORIGIN: [403, 'Requests from this origin are refused'],
  NOT_FOUND: [404, 'There is nothing at this path'],
  UNKNOWN_REQUEST_ID: [404, 'No recorded answer has this request id'],
  UNKNOWN_SOURCE: [404, 'The knowledge base has no source with this id'],
  UNKNOWN_ORDER: [404, 'There is no such order'],
  UNKNOWN_STRATEGY: [404, 'No strategy of this name is in use'],
  UNKNOWN_REPORT: [404, 'This host has no report of this id'],
  UNKNOWN_TICKER: [404, 'There is no such ticker'],
  POSITION_UNKNOWN: [422, 'This position is not in the record'],
  NO_POSITION: [404, 'There is no position to close'],
  WEIGHTS_MISSING: [404, 'No weights have been saved yet'],
  METHOD_NOT_ALLOWED: [405, 'This method is not allowed here'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  TRADING_INACTIVE: [409, 'Trading is stopped: orders may only close positions'],
  TRADING_HALTED: [409, 'Trading is halted: orders may only close positions'],
  NOT_A_REPLAY: [409, 'Only the clock of a replay can be set: this market has its own'],
  NO_SESSION: [409, 'No session comes now'],
  STRATEGY_FAULT: [409, 'The strategy cannot be loaded'],
  NOT_CANCELLABLE: [409, 'The order can no longer be cancelled'],
  NOT_AMENDABLE: [409, 'The order cannot be changed like this'],
  LINK_REFUSED: [409, 'The orders cannot be linked'],
  CLIENT_CASH_ID_REUSED: [409, 'Another amount already has this client_cash_id'],
  CLIENT_ORDER_ID_REUSED: [409, 'Another order already has this client_order_id'],
  IDEMPOTENCY_KEY_REUSED: [
    409,
    'Another comment already has this Idempotency-Key, or the text of the one that has it was erased',
  ],
  MODEL_NOT_READY: [409, 'There is no model for this yet'],
  ALREADY_TRAINING: [409, 'A training is already running'],
  NOT_TRAINING: [409, 'No training is running'],
  WEIGHTS_MISMATCH: [409, 'The saved weights belong to a different network than the configured one'],
  WEIGHTS_DAMAGED: [409, 'The saved weights are damaged'],
  UPDATE_RUNNING: [409, 'An update of the market data is already running'],
  REQUEST_ERASED: [
    410,
    'The text of this request has been erased, and nothing more is taken under its id; ask again under a new one',
  ],
  BODY_TOO_LARGE: [413, 'The body is too large'],
  MISDIRECTED_REQUEST: [421, 'The service does not answer for this host name'],
  UPGRADE_REQUIRED: [426, 'This path only accepts WebSocket connections'],
  RATE_LIMITED: [429, 'Too many requests with this key'],
  HEADERS_TOO_LARGE: [431, 'The headers are too large'],
  CLIENT_CLOSED_REQUEST: [499, 'The client closed the connection'],
  INTERNAL: [500, 'The service failed to answer'],
  OVERLOADED: [503, 'The service is busy; try again shortly'],
  SERVICE_UNAVAILABLE: [503, 'The service behind this path is not available'],
  INDEX_NOT_READY: [503, 'The knowledge index is not ready'],
  KB_INVALID: [503, 'The knowledge base has faults; the old index stays in service'],
  MODEL_UNAVAILABLE: [503, 'The language model does not answer'],
  REINDEX_RUNNING: [503, 'A reindex is already running'],
  AUDIT_DISABLED: [503, 'Audit logging is disabled, so nothing can be recorded'],
  AUDIT_UNAVAILABLE: [503, 'The audit record cannot be written right now'],
  RECONCILING: [503, 'The account is not ready yet after a start or a takeover; try again shortly'],
  BROKER_UNAVAILABLE: [503, 'The broker cannot be reached'],
  DEADLINE_EXCEEDED: [503, 'The service did not answer in time'],
  NO_RESPONDERS: [503, 'The service behind this path is not running'],
  RESPONDER_LOST: [503, 'The service behind this path stopped before it answered; try again'],
  PAYLOAD_TOO_LARGE: [503, 'A message between services is too large'],
  WRONG_EXPECTED_REVISION: [503, 'The stream was changed at the same time; try again'],
  APPEND_TOO_LARGE: [503, 'The record of this request is too large'],
  STORE_UNAVAILABLE: [503, 'The event store is not available'],
  STREAM_CORRUPT: [500, 'The events of this stream contradict each other'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** Every code with its HTTP status and title, for the OpenAPI document. */
export function listErrors(): { code: ErrorCode; status: number; title: string }[] {
  return Object.entries(ERRORS).map(([code, [status, title]]) => ({
    code: code as ErrorCode,
    status,
    title,
  }));
}
