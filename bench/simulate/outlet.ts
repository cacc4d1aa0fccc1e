import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import type { Outlet, OutgoingEvent } from '../../events/relay/outlet.ts';
import type { Position } from '../../events/store/store.ts';
import type { Process } from './process.ts';
import type { Simulation } from './simulation.ts';

/** What is published, durable: a message once by its id, and how far that is. */
export class Published {
  readonly ids = new Set<string>();
  /** In the order in which they were taken. */
  readonly events: OutgoingEvent[] = [];
  position: Position | undefined;
  writes = 0;
}

/** As JetStream: each write names the one before it, so that of two relays one is turned away. */
export class SimulatedOutlet implements Outlet {
  readonly #simulation: Simulation;
  readonly #process: Process;
  readonly #bus: MessageBus;
  readonly #published: Published;
  #writes = 0;

  constructor(simulation: Simulation, process: Process, bus: MessageBus, published: Published) {
    this.#simulation = simulation;
    this.#process = process;
    this.#bus = bus;
    this.#published = published;
  }

  checkpoint(): Promise<Position | undefined> {
    return this.#ask(() => {
      this.#writes = this.#published.writes;
      return this.#published.position;
    });
  }

  async publish(events: readonly OutgoingEvent[]): Promise<void> {
    for (const event of events) {
      await this.#ask(() => {
        this.#fence();
        if (!this.#published.ids.has(event.id)) this.#published.events.push(event);
        this.#published.ids.add(event.id);
        this.#published.position = event.position;
      });
      this.#bus.publish(event.subject, event.data, event.headers);
    }
  }

  advance(position: Position): Promise<void> {
    return this.#ask(() => {
      this.#fence();
      this.#published.position = position;
    });
  }

  #fence(): void {
    if (this.#writes !== this.#published.writes) throw new BelegError('WRONG_EXPECTED_REVISION');
    this.#writes = this.#published.writes += 1;
  }

  async #ask<T>(question: () => T): Promise<T> {
    const simulation = this.#simulation;
    if (!this.#process.cut.has('bus')) return simulation.trip(this.#process, 3, question);
    await simulation.sleep(simulation.between(50, 900), this.#process);
    throw new BelegError('SERVICE_UNAVAILABLE');
  }
}
