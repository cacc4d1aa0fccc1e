import { MAX_REVISION } from './protocol.ts';
import type { StoredEvent } from './stored-event.ts';

/** The part of a stream's metadata that decides what can be read, without access lists and cache control. */
export interface StreamMetadata {
  truncateBefore?: bigint;
  maxCount?: number;
  /** In seconds. */
  maxAge?: number;
}

export function parseStreamMetadata(data: Uint8Array | undefined): StreamMetadata {
  if (data === undefined) return {};
  try {
    const json = JSON.parse(Buffer.from(data).toString('utf8')) as Record<string, number | undefined>;
    const { $tb, $maxCount, $maxAge } = json;
    return {
      // JSON numbers cannot represent the number that marks a deleted stream.
      ...($tb !== undefined && { truncateBefore: $tb >= 2 ** 63 ? MAX_REVISION : BigInt($tb) }),
      ...($maxCount !== undefined && { maxCount: $maxCount }),
      ...($maxAge !== undefined && { maxAge: $maxAge }),
    };
  } catch {
    return {};
  }
}

/** The first readable revision among the first `end` events of a stream. */
export function readableFrom(metadata: StreamMetadata, events: readonly StoredEvent[], end: number): number {
  let from = Number(metadata.truncateBefore ?? 0n);
  if (metadata.maxCount !== undefined) from = Math.max(from, end - metadata.maxCount);
  if (metadata.maxAge !== undefined) {
    const oldest = Date.now() - metadata.maxAge * 1000;
    while (from < end && events[from]!.created < oldest) from++;
  }
  return from;
}
