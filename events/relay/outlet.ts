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
   * Called each time that a relay begins, because another one may have published in between. Resolves with its place: the position up
   * to which everything is published; `undefined` before the first event. A kept position counts unless `stands` says that the record does
   * not have it.
   */
  begin(stands?: (place: Position) => Promise<boolean>): Promise<Position | undefined>;
  /**
   * Publishes in this order. Resolves when all events are stored; rejects with `SERVICE_UNAVAILABLE` if that is unknown
   * for any of them, or with `WRONG_EXPECTED_REVISION` if another relay has published since `begin()`: then the
   * relay has to begin again.
   */
  publish(events: readonly OutgoingEvent[]): Promise<void>;
  /**
   * False if events that were published since `begin()` are gone: then the relay has to begin again. Rejects with
   * `SERVICE_UNAVAILABLE`.
   */
  isWhole(): Promise<boolean>;
  /**
   * Since when published events are kept, if their room is full before their days are over, as `isWhole` found last;
   * else `null`.
   */
  readonly keptSince: string | null;
  /** Notes that nothing up to here needs to be published any more, so that the next relay need not look at it again. */
  advance(position: Position): Promise<void>;
}
