import { GENESIS_HASH, recordedHash, verifyChain, type ChainReport } from './chain.ts';
import type { EventStore } from './store.ts';

export interface RecordReport {
  streams: number;
  events: number;
  /** The streams that are not whole, each with what is wrong in it; empty for a whole record. */
  broken: ChainReport[];
}

/**
 * Verifies every chain in one pass over `$all`; only streams that do not add up are read again, to name what is wrong.
 * Memory grows with the number of streams (their heads), not with the events.
 */
export async function verifyRecord(store: EventStore): Promise<RecordReport> {
  const heads = new Map<string, { revision: bigint; hash: string }>();
  const suspect = new Set<string>();
  let events = 0;
  for await (const event of store.readAll()) {
    events++;
    const { stream, revision, metadata } = event;
    const last = heads.get(stream) ?? { revision: -1n, hash: GENESIS_HASH };
    if (revision !== last.revision + 1n || recordedHash(last.hash, event) !== metadata.hash)
      suspect.add(stream);
    heads.set(stream, { revision, hash: metadata.hash });
  }
  const broken: ChainReport[] = [];
  for (const stream of suspect) broken.push(await verifyChain(stream, store.readStream(stream)));
  return { streams: heads.size, events, broken };
}
