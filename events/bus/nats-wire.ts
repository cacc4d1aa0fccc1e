import { ErrorCode, headers as createHeaders, type Msg, type MsgHdrs } from 'nats';
import { BelegError, isBelegError } from '../errors.ts';
import type { Headers, Message } from './bus.ts';

/** `undefined` for none: a message without headers is smaller, and servers without them take it. */
export function toWire(headers: Headers): MsgHdrs | undefined {
  const entries = Object.entries(headers);
  if (entries.length === 0) return undefined;
  const wire = createHeaders();
  for (const [name, value] of entries) wire.append(name, value);
  return wire;
}

/** A message as it came; other clients may write names in any case, and give one more than once. */
export function fromWire(message: Msg, subject: string = message.subject): Message {
  const headers: Record<string, string> = {};
  if (message.headers !== undefined) {
    for (const [name, [value]] of message.headers) headers[name.toLowerCase()] ??= value ?? '';
  }
  // The client hands out Buffers. Their `slice` shares memory, unlike that of the declared type.
  const { buffer, byteOffset, byteLength } = message.data;
  return { subject, data: new Uint8Array(buffer, byteOffset, byteLength), headers: Object.freeze(headers) };
}

/** Whether a message is the server's own reply to a request without responders. */
export function isNoResponders(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503;
}

/**
 * Sent to whoever waits for a reply while its handler runs: a status line, which no message of ours has, so that it can
 * never be taken for the reply.
 */
export const BEAT = createHeaders(102, 'Processing');

export function isBeat(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === BEAT.code;
}

/**
 * The last token but one of an inbox whose owner understands beats. Any other client would take a beat for its reply.
 */
export const BEATEN = 'beat';

export function takesBeats(inbox: string): boolean {
  return inbox.split('.').at(-2) === BEATEN;
}

/** What the client throws, as an error of the table. */
export function toBelegError(error: unknown): BelegError {
  if (isBelegError(error)) return error;
  const tooLarge = error instanceof Error && 'code' in error && error.code === ErrorCode.MaxPayloadExceeded;
  return new BelegError(tooLarge ? 'PAYLOAD_TOO_LARGE' : 'SERVICE_UNAVAILABLE', { cause: error });
}
