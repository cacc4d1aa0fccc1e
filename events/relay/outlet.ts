import type { Headers } from '../bus/bus.ts';
import type { Published } from '../messages/follower-lag.ts';
import type { Position } from '../store/store.ts';

/** The JetStream stream that subscribers read, where the outlet is NATS. */
export const EVENTS_STREAM = 'BELEG_EVENTS';
/** The subjects of that stream. */
export const EVENTS_SUBJECT = 'beleg.v1.evt.>';

/** A committed event on its way out. Its free text is sealed, as on record. */
export interface OutgoingEvent {
  /** The event's id, by which subscribers recognise a repeated message. */
  readonly id: string;
  /** `beleg.v1.evt.<context>.<event>.<hash of the stream>`. */
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
  readonly position: Position;
}

/**
 * The destination of the relay, which also knows how far the relay has come. The store is the outbox; nothing here is
 * the only copy.
 */
export interface Outlet {
  /**
   * To be called each time that a relay begins, because another one may have published in between. Resolves with the
   * place: the position up to which everything is published; `undefined` before the first event. A kept position counts
   * only if `stands` says that the record has it.
   */
  begin(stands?: (place: Position) => Promise<boolean>): Promise<Position | undefined>;
  /**
   * Publishes events in this order. Resolves when all of them are stored. Rejects with `SERVICE_UNAVAILABLE` if this is
   * unknown for any of them, or with `WRONG_EXPECTED_REVISION` if another relay has published since `begin()`; then the
   * relay has to begin again.
   */
  publish(events: readonly OutgoingEvent[]): Promise<void>;
  /**
   * Whether all events that were published since `begin()` are still there. If not, the relay has to begin again.
   * Rejects with `SERVICE_UNAVAILABLE`.
   */
  isWhole(): Promise<boolean>;
  /** What is to be known of the published events, as `begin` and `isWhole` found it last. */
  readonly published: Published;
  /**
   * Notes that everything up to this position is published or need not be, so that the next relay does not read it
   * again.
   */
  advance(position: Position): Promise<void>;
}
