import type { MessageBus } from '../../../../events/bus/bus.ts';
import type { Clock } from '../../../foundation/clock.ts';
import { readHeard, type HeardEvent } from '../heard-event.ts';

/** The position of an event in its stream and in the whole record. */
export interface EventPlace {
  readonly revision: number;
  /** The position in the record; missing if no event has arrived yet. */
  readonly position?: string;
}

/** The bus has no event for a restored connection, so its state is checked at this interval. */
const LOOK_MS = 1_000;

/**
 * Follows the events of the accounts, each once and in order. The bus delivers at most once and the relay publishes at
 * least once, so an earlier revision is skipped. After a gap in the revisions, or a break of the bus, `missed` is
 * called first, with the newest known event. Events that were lost before the first one leave no gap, but an account
 * closes a session each second, so a first event arrives soon.
 */
export function followAccounts(
  bus: MessageBus,
  listener: { heard(event: HeardEvent): void; missed(newest: EventPlace): void },
  clock: Clock,
): () => void {
  const newest = new Map<string, number>();
  let last: EventPlace = { revision: 0 };
  const subscription = bus.subscribe('beleg.v1.evt.trading.*.*', ({ data }) => {
    const event = readHeard(data);
    if (event === undefined) return;
    const before = newest.get(event.stream);
    if (before !== undefined && event.revision <= before) return;
    newest.set(event.stream, event.revision);
    last = event;
    if (before !== undefined && event.revision > before + 1) listener.missed(event);
    listener.heard(event);
  });
  let away = false;
  const stopLooking = clock.every(LOOK_MS, () => {
    const { state } = bus.status();
    if (state === 'connected' && away) listener.missed(last);
    away = state === 'reconnecting';
  });
  return () => {
    stopLooking();
    void subscription.unsubscribe();
  };
}
