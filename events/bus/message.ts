import { BelegError } from '../errors.ts';
import { MAX_PAYLOAD_BYTES, type Headers, type Message } from './bus.ts';

/** A copy of what the sender holds (of a Buffer too, whose `slice` copies nothing), so that nothing is shared. Throws `PAYLOAD_TOO_LARGE`, `TypeError`. */
export function snapshot(subject: string, data: Uint8Array, headers: Headers = {}): Message {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
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
  for (const [name, value] of Object.entries(headers)) bytes += Buffer.byteLength(`${name}: ${value}\r\n`);
  return data.byteLength + (bytes === 0 ? 0 : bytes + 'NATS/1.0\r\n\r\n'.length);
}

function assertHeader(name: string, value: string): void {
  if (!/^[a-z0-9_-]+$/.test(name)) throw new TypeError(`not a header name: ${JSON.stringify(name)}`);
  if (/[\r\n]/.test(value)) throw new TypeError(`a header must not contain a line break: ${name}`);
}
