import { BelegError } from '../errors.ts';
import { MAX_PAYLOAD_BYTES, type Headers, type Message } from './bus.ts';

/** A copy of what the sender holds (of a Buffer too, whose `slice` copies nothing), so that nothing is shared. Throws `PAYLOAD_TOO_LARGE`, `TypeError`. */
export function snapshot(subject: string, data: Uint8Array, headers: Headers = {}): Message {
  for (const [name, value] of Object.entries(headers)) assertHeader(name, value);
  if (payloadBytes(data, headers) > MAX_PAYLOAD_BYTES) {
    throw new BelegError('PAYLOAD_TOO_LARGE', {
      detail: `A message may have at most ${MAX_PAYLOAD_BYTES} bytes`,
    });
  }
  // White space around a value does not survive the wire.
  const trimmed = Object.entries(headers).map(([name, value]) => [name, value.trim()]);
  return { subject, data: new Uint8Array(data), headers: Object.freeze(Object.fromEntries(trimmed)) };
}

/** What counts against the cap: as on NATS, the headers as they are written on the wire, and the data. */
export function payloadBytes(data: Uint8Array, headers: Headers): number {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (lines.length === 0) return data.byteLength;
  return data.byteLength + Buffer.byteLength(`NATS/1.0\r\n${lines.join('')}\r\n`);
}

function assertHeader(name: string, value: string): void {
  if (!/^[a-z0-9_-]+$/.test(name)) throw new TypeError(`not a header name: ${JSON.stringify(name)}`);
  if (/[\r\n]/.test(value)) throw new TypeError(`a header must not contain a line break: ${name}`);
}
