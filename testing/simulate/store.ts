import { BelegError } from '../../events/errors.ts';
import { prepareAppend } from '../../events/store/prepare-append.ts';
import {
  hasPlace,
  type AppendResult,
  type CatchUpSubscription,
  type EventStore,
  type NewEvent,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
  type SubscriptionItem,
} from '../../events/store/store.ts';
import { kindOfStream } from './fault-cells.ts';
import type { Process } from './simulated-process.ts';
import type { World } from './world.ts';

const unavailable = (): BelegError => new BelegError('STORE_UNAVAILABLE', { retryAfter: 1 });

/** One process's connection to the event store. It fulfils the contract and nothing beyond it. */
export class SimulatedStore implements EventStore {
  readonly #world: World;
  readonly #process: Process;
  readonly #subscriptions = new Set<CatchUpSubscription>();
  #closed = false;

  constructor(process: Process, world: World) {
    this.#process = process;
    this.#world = world;
  }

  async append(stream: string, expected: bigint, events: readonly NewEvent[]): Promise<AppendResult> {
    this.#assertOpen();
    prepareAppend(stream, events);
    const { simulation, ledger } = this.#world;
    this.#world.watch.appends(this.#process, stream);
    const kind = kindOfStream(stream);
    const sent = structuredClone(events);
    const terms = new Map(this.#process.terms);
    const what = `append ${stream} ${expected}+${events.length} ${events[0]!.type}`;
    const key = Symbol();
    this.#process.appending.set(key, kind);
    const land = (): AppendResult => {
      const before = ledger.all.length;
      const result = ledger.append(stream, expected, sent);
      this.#world.landed(this.#process, stream, terms, sent, ledger.all.length > before);
      return result;
    };
    const becomes = this.#world.ofAppend(this.#process, kind);
    simulation.tell(this.#process.name, becomes === 'arrives' ? what : `${what}: ${becomes.toUpperCase()}`);
    const { promise, resolve, reject } = Promise.withResolvers<AppendResult>();
    /** The append arrives at the store after `ms`; its reply is received after `heardAfter`. */
    const arrive = (ms: number, heardAfter: number | null): void => {
      simulation.after(ms, null, () => {
        let answer: () => void;
        try {
          const result = land();
          answer = () => resolve(result);
        } catch (error) {
          simulation.tell('store', `${stream} ${expected}: ${(error as Error).message}`);
          answer = () => reject(error);
        }
        if (heardAfter !== null) simulation.after(heardAfter, this.#process, answer);
      });
    };
    const giveUp = (ms: number): void =>
      void simulation.after(ms, this.#process, () => reject(unavailable()));
    const [there, back] = [simulation.between(0.2, 6), simulation.between(0.2, 4)];
    switch (becomes) {
      case 'arrives':
        arrive(there, back);
        break;
      case 'request lost':
        giveUp(simulation.between(5, 1_500));
        break;
      case 'reply lost':
        arrive(there, null);
        giveUp(there + simulation.between(5, 1_500));
        break;
      case 'reply late':
        arrive(there, simulation.between(200, 4_000));
        break;
      case 'lands late':
        giveUp(simulation.between(5, 500));
        arrive(simulation.between(20, 3_000), null);
        break;
      case 'doubled':
        arrive(there, null);
        arrive(there + simulation.between(0.1, 300), back);
        break;
      case 'crash before': {
        // An append of a dead process may arrive after the next start, or never.
        const arrival = simulation.chance(0.6) ? there : simulation.between(there, 1_500);
        if (simulation.chance(0.7)) arrive(arrival, null);
        simulation.after(simulation.between(0, Math.min(arrival, 20)), null, () =>
          this.#world.crash(this.#process),
        );
        break;
      }
      case 'crash after':
        arrive(there, null);
        simulation.after(there + back / 2, null, () => this.#world.crash(this.#process));
        break;
    }
    return promise.finally(() => this.#process.appending.delete(key));
  }

  readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    const { ledger } = this.#world;
    const backwards = options.direction === 'backwards';
    return this.#pages(kindOfStream(stream), options.limit, (last, limit) => {
      const from = last === undefined ? options.from : last.revision + (backwards ? -1n : 1n);
      return ledger.stream(stream, { ...options, ...(from === undefined ? {} : { from }), limit });
    });
  }

  readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    return this.#pages('$all', options.limit, (last, limit) => {
      const after = last?.position ?? options.after;
      return this.#world.ledger.events({ ...options, after, limit });
    });
  }

  /** Reads some events at a time, each after the last one so far. */
  async *#pages(
    kind: string,
    most = Infinity,
    pageAfter: (last: RecordedEvent | undefined, limit: number) => readonly RecordedEvent[],
  ): AsyncGenerator<RecordedEvent> {
    let last: RecordedEvent | undefined;
    for (let left = most; left > 0;) {
      const count = Math.min(left, 2 + this.#world.simulation.whole(60));
      const from = last;
      const page = await this.#ask(kind, () => pageAfter(from, count));
      yield* page;
      left -= page.length;
      last = page.at(-1);
      // A backward read has reached the first event.
      if (page.length < count || (kind !== '$all' && last?.revision === 0n)) return;
    }
  }

  end(): Promise<Position | undefined> {
    return this.#ask('$all', () => this.#world.ledger.end);
  }

  subscribe({ after, types }: SubscribeOptions = {}): CatchUpSubscription {
    this.#assertOpen();
    const { simulation, ledger } = this.#world;
    const process = this.#process;
    const closing = Promise.withResolvers<void>();
    const over = new AbortController();
    const { signal } = over;
    let woken = Promise.withResolvers<void>();
    const wake = (): void =>
      void simulation.after(simulation.between(0.3, 8), process, () => woken.resolve());
    ledger.onCommit.add(wake);
    const forget = (): boolean => ledger.onCommit.delete(wake);
    process.onDrop.push(forget);
    const items = async function* (): AsyncGenerator<SubscriptionItem, void, void> {
      let place = after !== undefined && hasPlace(ledger.end, after) ? Number(after) : 0;
      let live = false;
      while (!signal.aborted) {
        if (process.cut.has('store')) {
          live = false;
          await Promise.race([simulation.sleep(50), closing.promise]);
          continue;
        }
        const { event, looked } = ledger.next(place, types);
        if (event !== undefined || looked > place) {
          const passed = event === undefined ? looked : looked - 1;
          if (passed > place) yield { kind: 'checkpoint', position: ledger.all[passed - 1]!.position };
          place = looked;
          if (signal.aborted) return;
          if (event !== undefined) yield { kind: 'event', event };
          continue;
        }
        if (!live) {
          live = true;
          yield { kind: 'caughtUp' };
          continue;
        }
        woken = Promise.withResolvers();
        await Promise.race([woken.promise, closing.promise]);
      }
    };
    const subscription: CatchUpSubscription = {
      [Symbol.asyncIterator]: items,
      close: async () => {
        over.abort();
        forget();
        closing.resolve();
      },
    };
    this.#subscriptions.add(subscription);
    return subscription;
  }

  ping(): Promise<void> {
    return this.#ask('$all', () => undefined);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const subscription of this.#subscriptions) await subscription.close();
  }

  async #ask<T>(kind: string, answer: () => T): Promise<T> {
    this.#assertOpen();
    const { simulation } = this.#world;
    if (!this.#world.failsAt('store', this.#process, kind)) return simulation.trip(this.#process, 3, answer);
    await simulation.sleep(simulation.between(1, 1_000), this.#process);
    throw unavailable();
  }

  #assertOpen(): void {
    if (this.#closed) throw unavailable();
  }
}
