import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { RequestId } from '../../../events/messages/feedback.ts';

/** The client's `X-Request-ID` where it is valid, else a random one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = RequestId.safeParse(request.headers['x-request-id']);
  return sent.success ? sent.data : randomUUID();
}
