import { z } from 'zod';
import type { MessageBus } from '../../../../events/bus/bus.ts';
import type { Clock } from '../../../foundation/clock.ts';

/** The fields that are needed of an event as the relay publishes it (`PublishedEvent`). */
const Heard = z.object({
  type: z.string(),
  stream: z.string(),
  revision: z.int().nonnegative(),
  data: z.record(z.string(), z.unknown()).nullable(),
});
export type HeardEvent = z.output<typeof Heard>;

/** The bus says nothing of a break that is over: its state is looked at so often. */
const LOOK_MS = 1_000;

/**
 * Hears every event of the accounts once, in order. The bus delivers at most once and the relay publishes at least once,
 * so: a revision that was heard before is passed over, and where one is left out, or the bus was away, `missed` is told
 * first, with the newest revision that is known of. What was lost before the first event that is heard shows in no gap;
 * an account closes a session each second, so that one comes soon.
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
