import { Ledger } from './ledger.suite.ts';
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
} from './store.ts';

/** A store for tests that need many: as exact about revisions as the others, and gone with the process. */
export class MemoryStore implements EventStore {
  readonly #ledger: Ledger;
  #committed = Promise.withResolvers<void>();

  constructor(ledger = new Ledger()) {
    this.#ledger = ledger;
    this.#ledger.onCommit.add(() => {
      this.#committed.resolve();
      this.#committed = Promise.withResolvers();
    });
  }

  async append(stream: string, expected: bigint, events: readonly NewEvent[]): Promise<AppendResult> {
    return this.#ledger.append(stream, expected, structuredClone(events));
  }

  async *readStream(stream: string, options?: ReadStreamOptions): AsyncGenerator<RecordedEvent> {
    yield* this.#ledger.stream(stream, options);
  }

  async *readAll(options?: ReadAllOptions): AsyncGenerator<RecordedEvent> {
    yield* this.#ledger.events(options);
  }

  async end(): Promise<Position | undefined> {
    return this.#ledger.end;
  }

  subscribe({ after, types }: SubscribeOptions = {}): CatchUpSubscription {
    const { all } = this.#ledger;
    let next = after !== undefined && hasPlace(this.#ledger.end, after) ? Number(after) : 0;
    const closing = new AbortController();
    const closed = new Promise((resolve) => closing.signal.addEventListener('abort', resolve));
    const items = async function* (this: MemoryStore): AsyncGenerator<SubscriptionItem> {
      while (!closing.signal.aborted) {
        const event = all[next];
        if (event === undefined) {
          yield { kind: 'caughtUp' };
          if (next === all.length) await Promise.race([this.#committed.promise, closed]);
        } else {
          next += 1;
          if (types?.includes(event.type) ?? true) yield { kind: 'event', event };
          else yield { kind: 'checkpoint', position: event.position };
        }
      }
    };
    return {
      [Symbol.asyncIterator]: () => items.call(this),
      close: async () => closing.abort(),
    };
  }

  async ping(): Promise<void> {}
  async close(): Promise<void> {}
}
