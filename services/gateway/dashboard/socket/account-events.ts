import { z } from 'zod';
import type { MessageBus } from '../../../../events/bus/bus.ts';
import type { Clock } from '../../../foundation/clock.ts';

/** The fields of a published event (`PublishedEvent`) that are needed here. */
const Heard = z.object({
  type: z.string(),
  stream: z.string(),
  revision: z.int().nonnegative(),
  data: z.record(z.string(), z.unknown()).nullable(),
});
export type HeardEvent = z.output<typeof Heard>;

/** The bus has no event for a restored connection, so its state is polled this often. */
const LOOK_MS = 1_000;

/**
 * Hears every event of the accounts once, in order. The bus delivers at most once and the relay publishes at least
 * once, so a revision that was heard before is skipped. After a gap in the revisions, or a break of the bus, `missed`
 * is called first, with the newest known revision. Events that were lost before the first heard one leave no gap, but
 * an account closes a session each second, so a first event comes soon.
 */
export function followAccounts(
  bus: MessageBus,
  listener: { heard(event: HeardEvent): void; missed(revision: number): void },
  clock: Clock,
): () => void {
  const newest = new Map<string, number>();
  const subscription = bus.subscribe('beleg.v1.evt.trading.*.*', ({ data }) => {
    const event = Heard.parse(JSON.parse(new TextDecoder().decode(data)));
    const last = newest.get(event.stream);
    if (last !== undefined && event.revision <= last) return;
    newest.set(event.stream, event.revision);
    if (last !== undefined && event.revision > last + 1) listener.missed(event.revision);
    listener.heard(event);
  });
  let away = false;
  const stopLooking = clock.every(LOOK_MS, () => {
    const { state } = bus.status();
    if (state === 'connected' && away) listener.missed(Math.max(0, ...newest.values()));
    away = state === 'reconnecting';
  });
  return () => {
    stopLooking();
    void subscription.unsubscribe();
  };
}
