import { BelegError } from '../../events/errors.ts';
import type {
  AppendResult,
  EventStore,
  NewEvent,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../../events/store/store.ts';

/** A record that is kept nowhere, for many short lives: what the services under test need of the port. */
export class MemoryStore implements EventStore {
  readonly #events: RecordedEvent[] = [];

  async append(stream: string, expected: bigint, events: readonly NewEvent[]): Promise<AppendResult> {
    const there = this.#of(stream);
    const standing = there.slice(Number(expected) + 1, Number(expected) + 1 + events.length);
    const repeated =
      standing.length === events.length && standing.every(({ id }, at) => id === events[at]!.id);
    if (!repeated) {
      if (BigInt(there.length) - 1n !== expected) throw new BelegError('WRONG_EXPECTED_REVISION');
      for (const [at, event] of events.entries()) {
        this.#events.push({
          ...event,
          stream,
          revision: expected + 1n + BigInt(at),
          position: String(this.#events.length).padStart(9, '0') as Position,
          metadata: { ...event.metadata, hash: '' },
        });
      }
    }
    const last = this.#of(stream)[Number(expected) + events.length]!;
    return { revision: last.revision, position: last.position, repeated };
  }

  async *readStream(stream: string, { from = 0n }: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> {
    yield* this.#of(stream).slice(Number(from));
  }

  async *readAll({ filter = {} }: ReadAllOptions = {}): AsyncIterable<RecordedEvent> {
    const { streamPrefixes = [''] } = filter;
    yield* this.#events.filter(({ stream }) => streamPrefixes.some((prefix) => stream.startsWith(prefix)));
  }

  subscribe(): never {
    throw new TypeError('nobody subscribes here');
  }

  ping(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #of(stream: string): RecordedEvent[] {
    return this.#events.filter((event) => event.stream === stream);
  }
}
