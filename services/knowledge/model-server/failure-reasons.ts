import { isBelegError } from '../../../events/errors.ts';
import type { ModelReason } from '../../../events/messages/knowledge.ts';
import { ConnectionFailed, ServerRefusal } from './post-chat.ts';

/** Advice for the operator, for the log. */
export const ADVICE: Readonly<Record<ModelReason, string>> = {
  unreachable:
    'nothing answers at PV_MODEL_URL: check that the model server is running and that the address is right',
  unknown_host: 'the host in PV_MODEL_URL is not known: check its name',
  certificate:
    'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of its CA, and use the host name from the certificate',
  wrong_protocol: 'http and https are mixed up: correct PV_MODEL_URL',
  wrong_key: 'it rejected the key: check PV_MODEL_KEY',
  not_found:
    'it does not know this path or model: PV_MODEL_URL usually ends in /v1, and PV_MODEL_NAME must be a name from its /v1/models',
  redirected: 'it redirects to another address: set PV_MODEL_URL to that address',
  busy: 'it is too busy: allow it more parallel requests, or lower PV_MAX_CONCURRENT_ASKS',
  server_error: 'it reports an internal error or is still loading its model: see the log of the model server',
  timeout:
    'it does not answer in time: test it with curl -m 5 $PV_MODEL_URL/models; use a faster model or machine, or raise PV_ASK_SECONDS',
  context_too_small:
    'its context is too small for the question and one source: start it with a larger context, and set PV_MODEL_CONTEXT if it does not report its context',
  request_refused: 'it rejected the request: see the log of the model server',
  reply_cut:
    'its replies are cut off: switch thinking off for a reasoning model, use a larger context, or use another model',
  reply_unreadable:
    'its replies do not have the requested form: check that PV_MODEL_URL leads to a model server, or use another model',
  no_answer: 'it says that it does not know, although the passages contain the answer: use another model',
  nothing_verified: 'the sources do not support anything it writes: use another model',
};

const CERTIFICATE = /CERT|^UNABLE_TO_|HOSTNAME_MISMATCH|SELF_SIGNED/u;
const NOT_THIS_PROTOCOL = /^(?:ERR_SSL_|HPE_|EPROTO)/u;

/** Why a request with this signal failed. */
export function reasonOf(error: unknown, signal: AbortSignal): ModelReason {
  if (signal.aborted && isBelegError(signal.reason, 'MODEL_UNAVAILABLE')) return 'timeout';
  if (error instanceof ServerRefusal) return reasonOfStatus(error.status);
  if (!(error instanceof ConnectionFailed)) return 'reply_unreadable';
  const codes = causesOf(error).map((cause) => ('code' in cause ? String(cause.code) : cause.message));
  const has = (pattern: RegExp): boolean => codes.some((code) => pattern.test(code));
  if (has(CERTIFICATE)) return 'certificate';
  if (has(NOT_THIS_PROTOCOL)) return 'wrong_protocol';
  if (has(/^(?:ENOTFOUND|EAI_)/u)) return 'unknown_host';
  if (has(/redirect/u)) return 'redirected';
  return 'unreachable';
}

function reasonOfStatus(status: number): ModelReason {
  if (status === 401 || status === 403) return 'wrong_key';
  if (status === 404 || status === 405) return 'not_found';
  if (status === 408 || status === 429) return 'busy';
  return status >= 500 ? 'server_error' : 'request_refused';
}

/** The loggable details of a failure: codes and a status, but no text of a server. */
export function detailOf(error: unknown): string {
  if (error instanceof ServerRefusal) return `HTTP ${error.status}`;
  const codes = causesOf(error).flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? cause.code : [],
  );
  return codes.at(-1) ?? (error instanceof Error ? error.name : typeof error);
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
