import { BelegError } from '../errors.ts';
import { canonicalJson, type Json } from '../json.ts';
import { MAX_APPEND_BYTES, type NewEvent } from './store.ts';

/** An event as it is written to disk. The adapter adds its revision, chain hash and position. */
export interface PreparedEvent {
  readonly id: string;
  readonly type: string;
  /** The event's data as canonical JSON. */
  readonly data: string;
  readonly metadata: string;
}

interface PreparedAppend {
  readonly events: readonly PreparedEvent[];
  readonly bytes: number;
}

const STREAM = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;
const TYPE = /^[A-Z][A-Za-z0-9]{0,99}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Checks an append and fixes its bytes; every adapter begins with it. Throws `APPEND_TOO_LARGE` beyond 1 MiB. A
 * malformed name or id is a mistake of the program, not of a user, so it throws `TypeError`.
 */
export function prepareAppend(stream: string, events: readonly NewEvent[]): PreparedAppend {
  if (!STREAM.test(stream))
    throw new TypeError('a stream name must be 1 to 200 characters of A-Z a-z 0-9 . _ : -');
  if (events.length === 0) throw new TypeError('an append must have at least one event');
  if (new Set(events.map((event) => event.id)).size < events.length) {
    throw new TypeError('the events of one append must have different ids');
  }
  let bytes = 0;
  const prepared = events.map((event) => {
    if (!UUID.test(event.id)) throw new TypeError('an event id must be a UUID in lower case');
    if (!TYPE.test(event.type)) throw new TypeError('an event type must be a name in PascalCase');
    const encoded = encode(event);
    bytes += sizeOf(encoded);
    return encoded;
  });
  if (bytes > MAX_APPEND_BYTES) {
    throw new BelegError('APPEND_TOO_LARGE', {
      detail: `the append has ${bytes} bytes, at most ${MAX_APPEND_BYTES} are allowed`,
    });
  }
  return { events: prepared, bytes };
}

/** The number of bytes that an event adds to the size of an append. */
export const bytesOf = (event: NewEvent): number => sizeOf(encode(event));

function encode({ id, type, data, metadata }: NewEvent): PreparedEvent {
  return { id, type, data: canonicalJson(data), metadata: canonicalJson(metadata as unknown as Json) };
}

const sizeOf = ({ id, type, data, metadata }: PreparedEvent): number =>
  Buffer.byteLength(data) + Buffer.byteLength(metadata) + id.length + type.length;
