import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../../events/error-codes.ts';
import { BelegError } from '../../../events/errors.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';
import { retryAfterOf } from './retry-after.ts';

const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

/**
 * Milliseconds in which further data of the client is read and dropped, so that no reset reaches the client before the
 * answer.
 */
const LINGER_MS = 1_000;

/**
 * Answers bytes that are no HTTP request, or that come too slowly, with the usual error body and closes the connection.
 * `isNext`: whether the client has no outstanding answer to an earlier request, so that it takes this answer for its
 * own.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket, isNext: boolean): void {
  // Data after the faulty bytes cannot be parsed either and needs no second answer.
  if (socket.writableEnded && !socket.destroyed) return;
  if (error.code === 'ECONNRESET' || !socket.writable || !isNext) {
    // The client cannot be told, or would take the body for another answer.
    socket.destroy();
    return;
  }
  endWithProblem(socket, new BelegError(CODES[error.code ?? ''] ?? 'BAD_REQUEST'), randomUUID());
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
}

/** Sends the error body on a socket that has no response, and ends the connection. */
export function endWithProblem(socket: Duplex, error: BelegError, requestId: string): void {
  const problem = problemOf(error, requestId);
  const body = JSON.stringify(problem);
  const retryAfter = retryAfterOf(error);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      `Content-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      (error.status === 401 ? 'WWW-Authenticate: Bearer\r\n' : '') +
      (retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`) +
      `X-Request-ID: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}
