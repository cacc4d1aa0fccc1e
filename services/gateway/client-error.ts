import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { BelegError, type ErrorCode } from '../../events/errors.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';

const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

/** Bytes that are no HTTP request, or come too slowly: the error body as everywhere, then the connection is closed. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    // There is nobody to tell, or an answer is half way out already.
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const problem = problemOf(new BelegError(CODES[error.code ?? ''] ?? 'BAD_REQUEST'), requestId);
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      `Content-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-ID: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}
