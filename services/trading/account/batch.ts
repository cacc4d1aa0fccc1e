import type { AccountEvent } from '../../../events/catalog/catalog.ts';
import { MAX_APPEND_BYTES, type NewEvent } from '../../../events/store/store.ts';
import type { Entry } from './entry.ts';

/** What was decided on one command; it holds once everything before it is on record. */
export interface Decision {
  readonly entry: Entry;
  readonly events: readonly AccountEvent[];
  /** Why it was refused. */
  readonly error?: unknown;
}

/** Bytes of an event beside its data and its metadata: id, type. */
const FRAME_BYTES = 100;

/**
 * Where appends of at most 1 MiB begin and end, as many events each. A decision is in one append, so that it is on record
 * wholly or not at all; one that is larger by itself is cut.
 */
export function inAppends(decisions: readonly Decision[], encoded: readonly NewEvent[]): number[] {
  const counts: number[] = [];
  let next = 0;
  let count = 0;
  let bytes = 0;
  const close = (): void => {
    if (count > 0) counts.push(count);
    count = 0;
    bytes = 0;
  };
  for (const { events } of decisions) {
    const sizes = encoded.slice(next, next + events.length).map(sizeOf);
    next += events.length;
    if (bytes + sizes.reduce((sum, size) => sum + size, 0) > MAX_APPEND_BYTES) close();
    for (const size of sizes) {
      if (bytes + size > MAX_APPEND_BYTES) close();
      count += 1;
      bytes += size;
    }
  }
  close();
  return counts;
}

const sizeOf = ({ data, metadata }: NewEvent): number =>
  Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata)) + FRAME_BYTES;
