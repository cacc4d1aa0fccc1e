import { ErrorCode, headers as createHeaders, type Msg, type MsgHdrs } from 'nats';
import { BelegError, isBelegError } from '../errors.ts';
import type { Headers, Message } from './bus.ts';

/**
 * Headers as the client sends them; `undefined` if there are none, which makes the message smaller and suits servers
 * without headers.
 */
export function toWire(headers: Headers): MsgHdrs | undefined {
  const entries = Object.entries(headers);
  if (entries.length === 0) return undefined;
  const wire = createHeaders();
  for (const [name, value] of entries) wire.append(name, value);
  return wire;
}

/** A message as it came. Other clients may write header names in any case, and repeat a header. */
export function fromWire(message: Msg, subject: string = message.subject): Message {
  const headers: Record<string, string> = {};
  if (message.headers !== undefined) {
    for (const [name, [value]] of message.headers) headers[name.toLowerCase()] ??= value ?? '';
  }
  // The client's type is an array, but its value is a Buffer, whose `slice` shares memory.
  const { buffer, byteOffset, byteLength } = message.data;
  return { subject, data: new Uint8Array(buffer, byteOffset, byteLength), headers: Object.freeze(headers) };
}

/** Whether a message is the server's own reply to a request without responders. */
export function isNoResponders(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503;
}

/**
 * The beat that is sent to a caller while the handler of its request runs. It is a status line, which no message of
 * ours has, so it cannot be taken for the reply.
 */
export const BEAT = createHeaders(102, 'Processing');

export function isBeat(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === BEAT.code;
}

/**
 * The token before the last in the name of an inbox whose owner understands beats. Any other client would take a beat
 * for the reply.
 */
export const BEATEN = 'beat';

export function takesBeats(inbox: string): boolean {
  return inbox.split('.').at(-2) === BEATEN;
}

/** Converts an error of the client to a `BelegError`. */
export function toBelegError(error: unknown): BelegError {
  if (isBelegError(error)) return error;
  const tooLarge = error instanceof Error && 'code' in error && error.code === ErrorCode.MaxPayloadExceeded;
  return new BelegError(tooLarge ? 'PAYLOAD_TOO_LARGE' : 'SERVICE_UNAVAILABLE', { cause: error });
}
