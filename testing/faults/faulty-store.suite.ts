import { BelegError } from '../../events/errors.ts';
import type {
  AppendResult,
  CatchUpSubscription,
  EventStore,
  NewEvent,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../../events/store/store.ts';

/**
 * A store that fails on demand. `down`: nothing works. `mute`: appends are written but reported as failed, as when a
 * connection breaks before the reply.
 */
export class FaultyStore implements EventStore {
  readonly #inner: EventStore;
  mode: 'up' | 'down' | 'mute' = 'up';
  /** It goes down as soon as an event is written of which this says so. */
  downAfter: (event: NewEvent) => boolean = () => false;

  constructor(inner: EventStore) {
    this.#inner = inner;
  }

  async append(stream: string, expected: bigint, events: readonly NewEvent[]): Promise<AppendResult> {
    this.#assertUp();
    const result = await this.#inner.append(stream, expected, events);
    if (events.some((event) => this.downAfter(event))) this.mode = 'down';
    if (this.mode === 'mute') throw new BelegError('STORE_UNAVAILABLE');
    return result;
  }

  async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    this.#assertUp();
    yield* this.#inner.readStream(stream, options);
  }

  async *readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent> {
    this.#assertUp();
    yield* this.#inner.readAll(options);
  }

  async end(): Promise<Position | undefined> {
    this.#assertUp();
    return this.#inner.end();
  }

  subscribe(options?: Parameters<EventStore['subscribe']>[0]): CatchUpSubscription {
    return this.#inner.subscribe(options);
  }

  async ping(): Promise<void> {
    this.#assertUp();
    await this.#inner.ping();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #assertUp(): void {
    if (this.mode === 'down') throw new BelegError('STORE_UNAVAILABLE');
  }
}
