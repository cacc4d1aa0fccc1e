import { BelegError } from '../errors.ts';
import type { Headers, Message } from './bus.ts';

/** One message, request or reply, carries at most 1 MiB with its headers, as on NATS: beyond it `PAYLOAD_TOO_LARGE`. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** A copy of what the sender holds (of a Buffer too, whose `slice` copies nothing), so that nothing is shared. Throws `PAYLOAD_TOO_LARGE`, `TypeError`. */
export function snapshot(subject: string, data: Uint8Array, headers: Headers = {}): Message {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name]!;
    assertHeader(name, value);
    // White space around a value does not survive the wire.
    kept[name] = value.trim();
  }
  if (payloadBytes(data, headers) > MAX_PAYLOAD_BYTES) {
    throw new BelegError('PAYLOAD_TOO_LARGE', {
      detail: `A message may have at most ${MAX_PAYLOAD_BYTES} bytes`,
    });
  }
  return { subject, data: new Uint8Array(data), headers: Object.freeze(kept) };
}

/** What counts against the cap: as on NATS, the headers as they are written on the wire, and the data. */
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

/** Throws `TypeError` unless a message can be published to this: non-empty tokens, no wildcards, no white space. */
export function assertSubject(subject: string): void {
  if (!subject.split('.').every((token) => isToken(token) && token !== '*' && token !== '>')) {
    throw new TypeError(`not a subject: ${JSON.stringify(subject)}`);
  }
}

/** Throws `TypeError` unless this can be subscribed to: a subject in which `*` and a last `>` may be tokens. */
export function assertFilter(filter: string): void {
  const tokens = filter.split('.');
  if (!tokens.every((token, i) => isToken(token) && (token !== '>' || i === tokens.length - 1))) {
    throw new TypeError(`not a subject to subscribe to: ${JSON.stringify(filter)}`);
  }
}

/** Throws `TypeError` unless this can name a queue group, which is also the name of a service. */
export function assertQueue(queue: string): void {
  if (!/^[A-Za-z0-9_-]+$/.test(queue)) throw new TypeError(`not a queue group: ${JSON.stringify(queue)}`);
}

/** Whether a subject is one of those a filter stands for: `*` is exactly one token, a last `>` one or more. */
export function matchesFilter(filter: readonly string[], subject: readonly string[]): boolean {
  for (let i = 0; i < filter.length; i++) {
    const token = filter[i];
    if (token === '>') return subject.length > i;
    if (i >= subject.length || (token !== '*' && token !== subject[i])) return false;
  }
  return filter.length === subject.length;
}

/** NATS forbids white space and control characters; a wildcard inside a token would be taken literally there. */
function isToken(token: string): boolean {
  return token !== '' && !/[\s\p{Cc}]/u.test(token);
}
