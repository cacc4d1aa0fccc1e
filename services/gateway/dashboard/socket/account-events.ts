import type { MessageBus } from '../../../../events/bus/bus.ts';
import type { Clock } from '../../../foundation/clock.ts';
import { readHeard, type HeardEvent } from '../heard-event.ts';

/** Where an event stands in its stream and in the whole record. */
export interface EventPlace {
  readonly revision: number;
  /** Missing where no event has come yet. */
  readonly position?: string;
}

/** The bus has no event for a restored connection, so its state is polled this often. */
const LOOK_MS = 1_000;

/**
 * Hears every event of the accounts once, in order. The bus delivers at most once and the relay publishes at least
 * once, so a revision that was heard before is skipped. After a gap in the revisions, or a break of the bus, `missed`
 * is called first, with the newest known event. Events that were lost before the first heard one leave no gap, but
 * an account closes a session each second, so a first event comes soon.
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
