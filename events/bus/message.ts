import { BelegError } from '../errors.ts';
import type { Headers, Message } from './bus.ts';

/**
 * The most bytes of a message, request or reply, with its headers: 1 MiB, as on NATS. A larger one is refused with
 * `PAYLOAD_TOO_LARGE`.
 */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/**
 * A copy of the data, so that sender and receiver share nothing. (`slice` of a Buffer would not copy.)
 *
 * @throws {BelegError} `PAYLOAD_TOO_LARGE`.
 * @throws {TypeError} for headers that cannot be sent.
 */
export function snapshot(subject: string, data: Uint8Array, headers: Headers = {}): Message {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name]!;
    assertHeader(name, value);
    // The NATS protocol drops white space around a value.
    kept[name] = value.trim();
  }
  if (payloadBytes(data, headers) > MAX_PAYLOAD_BYTES) {
    throw new BelegError('PAYLOAD_TOO_LARGE', {
      detail: `A message may have at most ${MAX_PAYLOAD_BYTES} bytes`,
    });
  }
  return { subject, data: new Uint8Array(data), headers: Object.freeze(kept) };
}

/** The size that counts against the limit: the headers as they are written on the wire, and the data. */
export function payloadBytes(data: Uint8Array, headers: Headers): number {
  let bytes = 0;
  for (const name of Object.keys(headers)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(headers[name]!) + ': \r\n'.length;
  }
  return data.byteLength + (bytes === 0 ? 0 : bytes + 'NATS/1.0\r\n\r\n'.length);
}

function assertHeader(name: string, value: string): void {
  if (!/^[a-z0-9_-]+$/.test(name)) throw new TypeError(`not a header name: ${JSON.stringify(name)}`);
  if (/[\r\n]/.test(value)) throw new TypeError(`a header must not contain a line break: ${name}`);
}

/**
 * Throws `TypeError` unless the subject can be published to: it needs non-empty tokens without wildcards and white
 * space.
 */
export function assertSubject(subject: string): void {
  if (!subject.split('.').every((token) => isToken(token) && token !== '*' && token !== '>')) {
    throw new TypeError(`not a subject: ${JSON.stringify(subject)}`);
  }
}

/**
 * Throws `TypeError` unless the filter can be subscribed to: a subject in which tokens may be `*`, and the last one
 * `>`.
 */
export function assertFilter(filter: string): void {
  const tokens = filter.split('.');
  if (!tokens.every((token, i) => isToken(token) && (token !== '>' || i === tokens.length - 1))) {
    throw new TypeError(`not a subject to subscribe to: ${JSON.stringify(filter)}`);
  }
}

/** Throws `TypeError` unless the text can name a queue group. Services are named after it. */
export function assertQueue(queue: string): void {
  if (!/^[A-Za-z0-9_-]+$/.test(queue)) throw new TypeError(`not a queue group: ${JSON.stringify(queue)}`);
}

/** Whether the filter matches a subject: `*` stands for exactly one token, a final `>` for one or more. */
export function matchesFilter(filter: readonly string[], subject: readonly string[]): boolean {
  for (let i = 0; i < filter.length; i++) {
    const token = filter[i];
    if (token === '>') return subject.length > i;
    if (i >= subject.length || (token !== '*' && token !== subject[i])) return false;
  }
  return filter.length === subject.length;
}

/** NATS forbids white space and control characters. A wildcard within a token would have no special meaning there. */
function isToken(token: string): boolean {
  return token !== '' && !/[\s\p{Cc}]/u.test(token);
}
