import type { MessageBus } from '../bus/bus.ts';
import type { EventStore, Position } from '../store/store.ts';
import type { Outlet, OutgoingEvent } from './outlet.ts';

/**
 * Publishes on the bus of this process. Nobody outside can have missed anything while it did not run: it begins where
 * the record ends. It is not fenced: here a lease is never held twice.
 */
export class InProcessOutlet implements Outlet {
  readonly #bus: MessageBus;
  readonly #store: EventStore;
  #begun = false;
  #position: Position | undefined;

  constructor(bus: MessageBus, store: EventStore) {
    this.#bus = bus;
    this.#store = store;
  }

  async checkpoint(): Promise<Position | undefined> {
    if (!this.#begun) {
      this.#position = await this.#store.end();
      this.#begun = true;
    }
    return this.#position;
  }

  async publish(events: readonly OutgoingEvent[]): Promise<void> {
    for (const { subject, data, headers, position } of events) {
      this.#bus.publish(subject, data, headers);
      this.#position = position;
    }
  }

  async advance(position: Position): Promise<void> {
    if (this.#position === undefined || position > this.#position) this.#position = position;
  }
}
