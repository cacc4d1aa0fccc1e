import { hash } from 'node:crypto';
import { toStored } from './scan-record.ts';
import type { RecordedEvent, ChainedEvent } from './store.ts';

/**
 * The hash before the first event of every stream: 32 zero bytes. Streams still differ, because each event's bytes
 * contain the name of its stream.
 */
export const GENESIS_HASH = '0'.repeat(64);

const HASH_BYTES = 32;
/** The most bytes that one UTF-16 code unit takes in UTF-8. */
const MOST_BYTES = 3;
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * The chain hash of an event, in lower-case hexadecimal. It is calculated in one call without a `Hash` object, because
 * millions of these would burden the garbage collector.
 */
export function chainHash(previous: string, event: ChainedEvent): string {
  const { data, id, metadata, revision, stream, type } = event;
  const text = `{"data":${data},"id":${JSON.stringify(id)},"metadata":${metadata},"revision":"${revision}","stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}}`;
  const most = HASH_BYTES + text.length * MOST_BYTES;
  const bytes = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  const begin = bytes.write(previous, 0, HASH_BYTES, 'hex');
  return hash('sha256', bytes.subarray(0, begin + bytes.write(text, begin)), 'hex');
}

/** The hash that an event must have when it is read, if its predecessor's is `previous`. */
export function recordedHash(previous: string, event: RecordedEvent): string {
  return chainHash(previous, toStored(event));
}
