import { APIConnectionError, APIError } from 'openai';
import { isBelegError } from '../../../events/errors.ts';
import type { ModelReason } from '../../../events/messages/knowledge.ts';

/** What an operator can do about it, for the log. */
export const ADVICE: Readonly<Record<ModelReason, string>> = {
  unreachable: 'nothing answers there: is the model server running, and is PV_MODEL_URL its address?',
  unknown_host: 'the host in PV_MODEL_URL is not known: check its name',
  certificate:
    'its certificate is not trusted: name the CA that issued it in NODE_EXTRA_CA_CERTS, and use the host name that stands in it',
  wrong_protocol: 'it speaks http where PV_MODEL_URL says https, or the other way round',
  wrong_key: 'it does not take the key: check PV_MODEL_KEY',
  not_found:
    'it knows no such path or model: PV_MODEL_URL mostly ends in /v1, and PV_MODEL_NAME is the name that its /v1/models lists',
  redirected: 'it sends elsewhere, which is not followed: set PV_MODEL_URL to where it leads',
  busy: 'it turns requests away for now: give it more room, or ask less of it (PV_MAX_CONCURRENT_ASKS)',
  server_error: 'it fails, or still loads its model: see its own log',
  timeout:
    'it hangs, or is too slow for the time of an ask: see whether it answers at all (curl -m 5 $PV_MODEL_URL/models); use a faster model or machine, or set PV_ASK_SECONDS higher',
  context_too_small:
    'it has no room for the question and one source: start it with a larger context, and set PV_MODEL_CONTEXT where it does not tell its own',
  request_refused: 'it refuses the request: see its own log',
  reply_cut:
    'its replies break off before they end: switch the thinking of a reasoning model off, give the server a larger context, or use another model',
  reply_unreadable: 'its replies are not what is asked for: use another model',
  no_answer: 'it says that it does not know, although passages cover what was asked: use another model',
  nothing_verified: 'nothing that it writes holds against the sources: use another model',
};

const CERTIFICATE = /CERT|^UNABLE_TO_|HOSTNAME_MISMATCH|SELF_SIGNED/u;
const NOT_THIS_PROTOCOL = /^(?:ERR_SSL_|HPE_|EPROTO)/u;

/** Why a request failed; `signal` is the one that it was sent with. */
export function reasonOf(error: unknown, signal: AbortSignal): ModelReason {
  if (signal.aborted && isBelegError(signal.reason, 'MODEL_UNAVAILABLE')) return 'timeout';
  if (error instanceof APIError && error.status !== undefined) return reasonOfStatus(error.status);
  if (error instanceof RangeError || error instanceof SyntaxError) return 'reply_unreadable';
  if (!(error instanceof APIConnectionError)) return 'unreachable';
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

/** What may be logged of a failure: codes and a status, and no text that a server has sent. */
export function detailOf(error: unknown): string {
  if (error instanceof APIError && error.status !== undefined) return `HTTP ${error.status}`;
  const codes = causesOf(error).flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? cause.code : [],
  );
  return codes.at(-1) ?? (error instanceof Error ? error.name : typeof error);
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
