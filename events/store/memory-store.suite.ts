import { BelegError } from '../errors.ts';
import { chainHash, GENESIS_HASH } from './chain.ts';
import { matches } from './matches.ts';
import { prepareAppend } from './prepare.ts';
import {
  hasPlace,
  type AppendResult,
  type CatchUpSubscription,
  type EventFilter,
  type EventStore,
  type NewEvent,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscriptionItem,
} from './store.ts';

/** A store for tests that need many: as exact about revisions as the others, and gone with the process. */
export class MemoryStore implements EventStore {
  readonly #all: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  #committed = Promise.withResolvers<void>();

  async append(stream: string, expected: bigint, events: readonly NewEvent[]): Promise<AppendResult> {
    const prepared = prepareAppend(stream, events);
    const recorded = this.#streams.get(stream) ?? [];
    const from = Number(expected) + 1;
    if (from !== recorded.length) {
      const repeated = events.every(({ id }, i) => recorded[from + i]?.id === id);
      if (!repeated) throw new BelegError('WRONG_EXPECTED_REVISION');
    } else {
      for (const [n, event] of events.entries()) {
        const copy = structuredClone(event);
        const revision = BigInt(recorded.length);
        const position = String(this.#all.length + 1).padStart(16, '0') as Position;
        const previous = recorded.at(-1)?.metadata.hash ?? GENESIS_HASH;
        const hash = chainHash(previous, { stream, revision, ...prepared.events[n]! });
        const stored = { ...copy, metadata: { ...copy.metadata, hash }, stream, revision, position };
        recorded.push(stored);
        this.#all.push(stored);
      }
      this.#streams.set(stream, recorded);
      this.#committed.resolve();
      this.#committed = Promise.withResolvers();
    }
    const last = recorded[from + events.length - 1]!;
    return {
      revision: last.revision,
      position: last.position,
      repeated: from !== recorded.length - events.length,
    };
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    const { direction = 'forwards', from, limit = Infinity } = options;
    const events = [...(this.#streams.get(stream) ?? [])];
    const ordered = direction === 'forwards' ? events : events.toReversed();
    const wanted = ordered.filter(({ revision }) =>
      from === undefined ? true : direction === 'forwards' ? revision >= from : revision <= from,
    );
    yield* wanted.slice(0, limit);
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    const { direction = 'forwards', after, limit = Infinity, filter } = options;
    const forwards = direction === 'forwards';
    const wanted = (forwards ? this.#all : this.#all.toReversed()).filter(
      (event) =>
        (after === undefined || (forwards ? event.position > after : event.position < after)) &&
        matches(filter ?? {}, event),
    );
    yield* wanted.slice(0, limit);
  }

  async end(): Promise<Position | undefined> {
    return this.#all.at(-1)?.position;
  }

  subscribe({ after, filter }: { after?: Position; filter?: EventFilter } = {}): CatchUpSubscription {
    const known = after !== undefined && hasPlace(this.#all.at(-1)?.position, after);
    let next = known ? this.#all.findIndex(({ position }) => position > after) : 0;
    if (next === -1) next = this.#all.length;
    const closing = new AbortController();
    const closed = new Promise((resolve) => closing.signal.addEventListener('abort', resolve));
    const items = async function* (this: MemoryStore): AsyncGenerator<SubscriptionItem> {
      while (!closing.signal.aborted) {
        const event = this.#all[next];
        if (event === undefined) {
          yield { kind: 'caughtUp' };
          if (next === this.#all.length) await Promise.race([this.#committed.promise, closed]);
        } else {
          next += 1;
          if (matches(filter ?? {}, event)) yield { kind: 'event', event };
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
