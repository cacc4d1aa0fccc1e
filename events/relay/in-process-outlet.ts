import type { MessageBus } from '../bus/bus.ts';
import type { EventStore, Position } from '../store/store.ts';
import type { Outlet } from './outlet.ts';

/**
 * Publishes on the bus of this process. Subscribers live in the same process and have missed nothing while it did not
 * run, so it begins at the end of the record. It is not fenced, because in one process a lease is never held twice.
 */
export function createInProcessOutlet(bus: MessageBus, store: Pick<EventStore, 'end'>): Outlet {
  let begun = false;
  let position: Position | undefined;
  return {
    async begin() {
      if (!begun) position = await store.end();
      begun = true;
      return position;
    },
    async publish(events) {
      for (const event of events) {
        bus.publish(event.subject, event.data, event.headers);
        position = event.position;
      }
    },
    isWhole: () => Promise.resolve(true),
    published: {},
    async advance(place) {
      if (position === undefined || place > position) position = place;
    },
  };
}
