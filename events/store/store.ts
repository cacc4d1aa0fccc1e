import type { Json } from '../json.ts';

/** The position of an event in `$all`: opaque, order-preserving when compared as text, safe to store as a checkpoint. */
export type Position = string & { readonly __brand: 'Position' };

/** The revision of a stream that does not exist yet. */
export const NO_STREAM = -1n;

/** The largest total of canonical bytes that one append may carry (1 MiB, the cap of a message as well). */
export const MAX_APPEND_BYTES = 1024 * 1024;

export interface EventMetadata {
  /** The time of the event, by the clock of the process that decided it (ISO 8601, UTC). */
  at: string;
  /** Version of the data's shape; older ones are upcast on reading. */
  version: number;
  /** The id of the request that the event belongs to. */
  $correlationId: string;
  /** The id of the call that caused the event. */
  $causationId: string;
  /** The span that caused the event, in W3C format. Absent if the call was not traced. */
  traceparent?: string;
  /** The name of the vault key that encrypts the event's free-text fields; absent if the event has no such fields. */
  key?: string;
}

/** What a caller hands to `append`: everything that the hash covers except its place in the stream. */
export interface NewEvent {
  /** A UUID, derived from the event's cause (see `deterministicId`), so that a repeated append is recognised. */
  id: string;
  type: string;
  /** The event's data. Its free text is encrypted already. */
  data: Json;
  metadata: EventMetadata;
}

export interface RecordedEvent extends NewEvent {
  stream: string;
  /** The number of the event within the stream: 0, 1, 2 … */
  revision: bigint;
  position: Position;
  metadata: EventMetadata & { hash: string };
}

export interface AppendResult {
  /** Revision of the last event of this append: the next expected revision. */
  revision: bigint;
  position: Position;
}

export interface ReadStreamOptions {
  direction?: 'forwards' | 'backwards';
  /** First revision to read, inclusive; default: the start (forwards) or the end (backwards). */
  from?: bigint;
  limit?: number;
}

export interface ReadAllOptions {
  direction?: 'forwards' | 'backwards';
  /** Read after (forwards) or before (backwards) this position, exclusive. */
  after?: Position | undefined;
  limit?: number;
  /** Only events of these types; absent means all. */
  types?: readonly string[] | undefined;
}

export type SubscribeOptions = Pick<ReadAllOptions, 'after' | 'types'>;

export type SubscriptionItem =
  | { kind: 'event'; event: RecordedEvent }
  /** The store has read everything up to here, and nothing else matched. */
  | { kind: 'checkpoint'; position: Position }
  /** History is delivered, and live events follow. Sent again each time that the subscriber had fallen behind. */
  | { kind: 'caughtUp' };

/** Iterate to receive; `close()` (or leaving the loop) ends the subscription. */
export interface CatchUpSubscription extends AsyncIterable<SubscriptionItem> {
  close(): Promise<void>;
}

/**
 * The record. Delivery guarantees, which hold for every adapter (see `contract.suite.ts`):
 *
 * - `append` resolves only when the events are on disk: all of one append or none.
 * - The expected revision is always exact: `NO_STREAM` or the last revision. Otherwise `WRONG_EXPECTED_REVISION`.
 * - Repeating an append (byte-identical events, same expected revision) succeeds and writes nothing. A partial overlap
 *   fails, and so do different events with the same ids: after success the caller knows what is recorded.
 * - An `append` that failed with `STORE_UNAVAILABLE` may have been written: repeat it with the same events.
 * - A subscription delivers every event after its start at least once, in order.
 * - A place that no event of this store can have is refused with `POSITION_UNKNOWN`.
 */
export interface EventStore {
  append(stream: string, expectedRevision: bigint, events: readonly NewEvent[]): Promise<AppendResult>;
  /** The events of a stream; none for a stream that does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;
  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent>;
  /** The end of the record: the position of its last event, including the store's own; `undefined` if it is empty. */
  end(): Promise<Position | undefined>;
  /**
   * Subscribes from the start, or after a stored position. A position beyond the end of the record belongs to another
   * record or to none: then delivery begins at the start.
   */
  subscribe(options?: SubscribeOptions): CatchUpSubscription;
  /**
   * For verifiers (see `scanRecord`): the stored bytes of all events, or of one stream, if the store can return them.
   */
  scan?(stream?: string): AsyncIterable<ScannedPage>;
  /** Resolves when the store can write; rejects with `STORE_UNAVAILABLE`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The parts of a store for those who read a record and do not write to it. */
export type RecordReader = Pick<EventStore, 'readStream' | 'readAll' | 'end' | 'subscribe' | 'scan'>;

/**
 * Whether a record that ends at `end` contains this place. A place that the record does not reach, or that another kind
 * of store has given out, says nothing about what was delivered. All places of one store are texts of one length.
 */
export function hasPlace(end: Position | undefined, place: string): boolean {
  return end !== undefined && place.length === end.length && place <= end;
}

/**
 * An event in the hash chain of its stream: `hash = SHA-256(previous hash ‖ canonical bytes of the stored event)`, the
 * previous hash as its 32 raw bytes, the event as UTF-8 of canonical JSON (RFC 8785) with the members data, id,
 * metadata, revision (decimal text), stream, type. The hash covers ciphertext, so that deleting a key breaks no chain.
 */
export interface ChainedEvent {
  readonly stream: string;
  readonly revision: bigint | number;
  readonly id: string;
  readonly type: string;
  /** Canonical JSON. */
  readonly data: string;
  /** Canonical JSON, without the hash itself. */
  readonly metadata: string;
}

/** An event with its stored bytes, which the hash chain covers, and the hash that is stored with it. */
export interface StoredEvent extends ChainedEvent {
  readonly revision: number;
  readonly position: Position;
  readonly hash: string;
}

/** A fault of the store that a verifier has to report besides faults of events. */
export type StoreFault =
  /**
   * The bytes at these positions cannot be read. `stream` and `revision` are set if they could still be determined.
   */
  | { kind: 'unreadable'; from: Position; to: Position; stream?: string; revision?: number }
  /** There is no event at these positions, although the store leaves no gaps. */
  | { kind: 'gap'; from: Position; to: Position }
  /** The event is intact, but an index does not find it where it should. */
  | { kind: 'misfiled'; stream: string; revision: number; position: Position; detail: string }
  /** Events exist that readers of their stream do not get. */
  | { kind: 'hidden'; stream: string; detail: string }
  /** The store's files are damaged. */
  | { kind: 'damaged'; detail: string };

export interface ScannedPage {
  readonly events: readonly StoredEvent[];
  readonly faults: readonly StoreFault[];
  /** The number of all events; `null` if the store does not count them. */
  readonly total: number | null;
}
