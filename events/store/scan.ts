import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../json.ts';
import type { ChainedEvent } from './chain.ts';
import type { Position, RecordedEvent, RecordReader } from './store.ts';

/** An event as its bytes stand in the store: what the hash chain covers, and the hash that stands beside it. */
export interface StoredEvent extends ChainedEvent {
  readonly revision: number;
  readonly position: Position;
  readonly hash: string;
}

/** What a verifier has to know of a store beyond its events. */
export type StoreFault =
  /** What stands at these positions cannot be read; of which stream, where that can. */
  | { kind: 'unreadable'; from: Position; to: Position; stream?: string; revision?: number }
  /** Nothing stands at these positions, in a store that leaves none out. */
  | { kind: 'gap'; from: Position; to: Position }
  /** The event is whole, but not found where it is looked for. */
  | { kind: 'misfiled'; stream: string; revision: number; position: Position; detail: string }
  /** The store's files do not add up by themselves. */
  | { kind: 'damaged'; detail: string };

export interface ScannedPage {
  readonly events: readonly StoredEvent[];
  readonly faults: readonly StoreFault[];
  /** Events there are in all; `null` where the store does not count them. */
  readonly total: number | null;
}

const PAGE_EVENTS = 256;
const PAGE_CHARACTERS = 1024 * 1024;

/**
 * The record, or one stream, as a verifier reads it: up to what was there when it began, in pages of bounded size. A
 * store that knows its own bytes gives those out, and damage as a fault; of any other one the events are put in
 * canonical form, which is what the chain covers.
 */
export function scanRecord(store: RecordReader, stream?: string): AsyncIterable<ScannedPage> {
  return store.scan?.(stream) ?? scanRead(store, stream);
}

async function* scanRead(store: RecordReader, stream?: string): AsyncGenerator<ScannedPage> {
  let events: StoredEvent[] = [];
  let characters = 0;
  for await (const event of stream === undefined ? store.readAll() : store.readStream(stream)) {
    const stored = toStored(event);
    events.push(stored);
    characters += stored.data.length;
    if (events.length < PAGE_EVENTS && characters < PAGE_CHARACTERS) continue;
    yield { events, faults: [], total: null };
    events = [];
    characters = 0;
    await nextTurn();
  }
  yield { events, faults: [], total: null };
}

/** An event that was read, in canonical form again. */
export function toStored({ data, metadata, revision, ...event }: RecordedEvent): StoredEvent {
  const { hash, ...covered } = metadata;
  return {
    ...event,
    revision: Number(revision),
    data: canonicalJson(data),
    metadata: canonicalJson(covered),
    hash,
  };
}
