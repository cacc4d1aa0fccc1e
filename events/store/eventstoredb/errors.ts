import {
  AccessDeniedError,
  convertToCommandError,
  isCommandError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { BelegError, isBelegError, NOT_IN_TIME } from '../../errors.ts';

/** The store did not reply for as long as a call may take. */
export class Silence extends Error {
  constructor() {
    super('the event store did not answer in time');
  }
}

/** The reply of a read stopped before it was complete. */
export const endedEarly = (): Error => new Error('the event store ended its reply too early');

/**
 * The error that the client would make of a server's error. The client's own conversion throws if a server names no
 * leader.
 */
export function commandError(error: Error): Error {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
}

/** gRPC status codes for which another try would have the same result. */
const DEFINITE_STATUS: ReadonlySet<unknown> = new Set([3, 5, 7, 8, 11, 12, 16]);

/** Whether another try may help. The outcome is unknown: an append may have been written. */
export function isTransient(error: unknown): boolean {
  if (error instanceof BelegError || error instanceof TypeError || isInvalidPosition(error)) return false;
  if (error instanceof WrongExpectedVersionError || error instanceof StreamDeletedError) return false;
  if (error instanceof AccessDeniedError || error instanceof MaxAppendSizeExceededError) return false;
  // `NotLeaderError` has the status NOT_FOUND.
  if (error instanceof NotLeaderError) return true;
  return !(error instanceof Error && 'code' in error && DEFINITE_STATUS.has(error.code));
}

/** Whether the server says that no event is at a position. Each kind of call says this in other words. */
export function isInvalidPosition(error: unknown): boolean {
  return (
    isBelegError(error, 'POSITION_UNKNOWN') ||
    (error instanceof Error && /InvalidPosition|invalid position/i.test(error.message))
  );
}

/** Whether nobody answers at the address: nothing was sent, and a short wait will not help. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof Error &&
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|No connection established|Failed to discover|Name resolution failed/.test(
      error.message,
    )
  );
}

/**
 * Converts an error of the client to a `BelegError`. Only this function does that. The cause is made anew from its kind
 * and text, because the original contains the call's metadata.
 */
export function storeError(error: unknown): BelegError {
  if (error instanceof BelegError) return error;
  if (error instanceof TypeError) throw error;
  const cause = new Error(describe(error));
  if (error instanceof WrongExpectedVersionError) return new BelegError('WRONG_EXPECTED_REVISION', { cause });
  if (error instanceof StreamDeletedError) {
    return new BelegError('STREAM_CORRUPT', { detail: 'the stream was deleted', cause });
  }
  if (isInvalidPosition(error)) return new BelegError('POSITION_UNKNOWN', { cause });
  if (error instanceof MaxAppendSizeExceededError) return new BelegError('APPEND_TOO_LARGE', { cause });
  return new BelegError('STORE_UNAVAILABLE', {
    detail: detailOf(error, cause.message),
    retryAfter: 1,
    cause,
  });
}

export const closedError = (): BelegError =>
  new BelegError('STORE_UNAVAILABLE', { detail: 'the connection to the event store is closed' });

const ACCESS_DENIED = 'access-denied';

/** Whether an error of ours was caused by denied access. */
export const isAccessDenied = (cause: unknown): boolean =>
  cause instanceof Error && cause.message === ACCESS_DENIED;

export const mayNotReadAll = (): BelegError =>
  new BelegError('STORE_UNAVAILABLE', {
    detail:
      'its user may write but not read $all: add the user to acl.$r in the metadata of $all, beside $admins',
  });

function describe(error: unknown): string {
  if (error instanceof AccessDeniedError) return ACCESS_DENIED;
  if (!(error instanceof Error)) return String(error);
  return isCommandError(error) ? `${error.type}: ${error.message}` : error.message;
}

function detailOf(error: unknown, text: string): string | undefined {
  if (error instanceof AccessDeniedError)
    return 'it rejected the credentials, or this user is not allowed to do this';
  if (error instanceof Silence) return NOT_IN_TIME;
  if (/wrong version number|EPROTO/i.test(text)) {
    return 'it does not speak TLS: add tls=false to the connection string, or switch TLS on at the server';
  }
  if (/certificate|self.signed|altnames/i.test(text)) {
    return /altnames|hostname/i.test(text)
      ? 'its certificate does not match the host name in the connection string'
      : 'its certificate is not trusted: add tlsCAFile=… to the connection string, with the file of the authority that signed it';
  }
  if (/SSL|TLS/i.test(text))
    return 'the TLS connection failed: TLS is on unless the connection string has tls=false';
  // The socket opened, but no HTTP/2 connection was made.
  if (/Last error: Failed to connect/.test(text)) {
    return 'it accepts the connection and closes it: if the server uses TLS, remove tls=false from the connection string';
  }
  if (/Last error: Protocol error/.test(text)) return 'what answers at its address is no event store';
  return isRefused(error) ? 'nothing answers at its address' : undefined;
}
