import type { Headers } from '../bus/bus.ts';
import type { Position } from '../store/store.ts';

/** The JetStream stream that subscribers read, where the outlet is NATS. */
export const EVENTS_STREAM = 'BELEG_EVENTS';

/** A committed event on its way out. Its free text is sealed, as on record. */
export interface OutgoingEvent {
  /** The event's id: whoever gets the message twice recognises it. */
  readonly id: string;
  /** `beleg.v1.evt.<context>.<event>.<hash of the stream>`. */
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
  readonly position: Position;
}

/** The destination of the relay, and how far it has come. The store is the outbox; nothing here is the only copy. */
export interface Outlet {
  /**
   * The position up to which everything is published; `undefined` before the first event. It is read each time that a relay
   * begins, because another one may have gone on in between. A kept position counts unless `stands` denies that it is one of
   * this record.
   */
  checkpoint(stands?: (place: Position) => Promise<boolean>): Promise<Position | undefined>;
  /**
   * Publishes in this order. Resolves when all are taken durably; rejects with `SERVICE_UNAVAILABLE` when that is unknown
   * of any, or with `WRONG_EXPECTED_REVISION` when another relay has published since `checkpoint()`: begin again then.
   */
  publish(events: readonly OutgoingEvent[]): Promise<void>;
  /** False where what was published since `checkpoint()` is there no more: begin again then. Rejects with `SERVICE_UNAVAILABLE`. */
  isWhole(): Promise<boolean>;
  /**
   * Since when published events are kept, where the place for them is full before their days are over, as `isWhole` found it last;
   * else `null`.
   */
  readonly keptSince: string | null;
  /** Notes that nothing up to here needs publishing any more, so that the next relay need not look at it again. */
  advance(position: Position): Promise<void>;
}
