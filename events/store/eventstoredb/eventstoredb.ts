import { isBelegError } from '../../errors.ts';
import { prepareAppend } from '../prepare.ts';
import { inPages, type ScannedPage } from '../scan.ts';
import type {
  AppendResult,
  CatchUpSubscription,
  EventStore,
  NewEvent,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../store.ts';
import { parseAddress } from './address.ts';
import { Appender } from './appender.ts';
import { Connections } from './connections.ts';
import { closedError, isAccessDenied, mayNotReadAll } from './errors.ts';
import { HiddenEvents } from './hidden.ts';
import { Reader } from './reader.ts';
import { ResumingSubscription } from './subscription.ts';

export interface EventStoreDbOptions {
  /** `esdb://` or `esdb+discover://`. TLS is on unless it says `?tls=false`. */
  readonly url: string;
  /** The longest silence of the server within a call, in milliseconds (3000). */
  readonly timeoutMs?: number;
  /** The longest that a call is held up, repetitions included (5000). Where nobody listens it fails at once. */
  readonly giveUpMs?: number;
  /** A subscription that is quiet for so long is checked against a read (5000). */
  readonly quietMs?: number;
}

/**
 * The record in EventStoreDB (22.6 or newer). It connects with the first call: a store that is away is met by that
 * call with `STORE_UNAVAILABLE`, not here. Its user may write the streams and read `$all`. Give it a database of its
 * own: what others write into it comes out as events with a broken chain.
 *
 * @throws {TypeError} for a connection string that cannot be used; its text is not in the message.
 *
 * @example
 * const store = await openEventStoreDb({ url: 'esdb://user:password@node-1:2113,node-2:2113' });
 * await store.append('ask-1', NO_STREAM, [event]);
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  const { url, timeoutMs = 3000, giveUpMs = 5000, quietMs = 5000 } = options;
  const connections = new Connections(parseAddress(url), { timeoutMs, giveUpMs });
  return new EventStoreDb(connections, quietMs);
}

class EventStoreDb implements EventStore {
  readonly #connections: Connections;
  readonly #quietMs: number;
  readonly #reader: Reader;
  readonly #appender: Appender;
  readonly #closing = new AbortController();
  readonly #writing = new Set<Promise<unknown>>();
  readonly #subscriptions = new Set<ResumingSubscription>();
  #closed: Promise<void> | undefined;

  constructor(connections: Connections, quietMs: number) {
    this.#connections = connections;
    this.#quietMs = quietMs;
    this.#reader = new Reader(connections, this.#closing.signal);
    this.#appender = new Appender(connections, this.#reader);
  }

  async append(stream: string, expectedRevision: bigint, events: readonly NewEvent[]): Promise<AppendResult> {
    const prepared = prepareAppend(stream, events);
    this.#assertOpen();
    return this.#track(this.#appender.append(stream, expectedRevision, prepared.events));
  }

  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    return this.#reader.stream(stream, options);
  }

  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent> {
    return this.#reader.all(options);
  }

  async end(): Promise<Position | undefined> {
    this.#assertOpen();
    return this.#reader.end();
  }

  async *scan(stream?: string): AsyncGenerator<ScannedPage> {
    this.#assertOpen();
    if (stream === undefined) {
      const hidden = new HiddenEvents();
      yield* inPages(
        this.#reader.all({}, (other) => hidden.note(other)),
        () => hidden.faults(),
      );
      return;
    }
    try {
      yield* inPages(this.#reader.stream(stream));
    } catch (error) {
      if (!isBelegError(error, 'STREAM_CORRUPT')) throw error;
      const fault = { kind: 'hidden', stream, detail: 'it was deleted permanently' } as const;
      yield { events: [], faults: [fault], total: null };
    }
  }

  subscribe(options: SubscribeOptions = {}): CatchUpSubscription {
    this.#assertOpen();
    const subscription = new ResumingSubscription(this.#connections, {
      quietMs: this.#quietMs,
      after: options.after,
      types: options.types,
      onClose: (ended) => this.#subscriptions.delete(ended),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  /**
   * Proves that the leader is reached, lets us in, that its writer answers (it has to refuse a write), and that we may
   * read `$all`, which is a right of its own. It writes nothing, so it does not prove that there is room on the disk.
   */
  async ping(): Promise<void> {
    this.#assertOpen();
    await this.#track(this.#appender.probe());
    try {
      await this.#reader.end();
    } catch (error) {
      throw isBelegError(error, 'STORE_UNAVAILABLE') && isAccessDenied(error.cause) ? mayNotReadAll() : error;
    }
  }

  async close(): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  /** What was accepted is finished first: an append reads what stands at its place, so reads end after it. */
  async #close(): Promise<void> {
    for (const subscription of this.#subscriptions) await subscription.close();
    await Promise.allSettled(this.#writing);
    this.#closing.abort(closedError());
    await this.#connections.close();
  }

  async #track<T>(writing: Promise<T>): Promise<T> {
    this.#writing.add(writing);
    try {
      return await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw closedError();
  }
}
