import { isBelegError } from '../../errors.ts';
import { prepareAppend } from '../prepare-append.ts';
import { inPages } from '../scan-record.ts';
import type { EventStore, StoreFault } from '../store.ts';
import { parseAddress } from './address.ts';
import { createAppender } from './appender.ts';
import { openConnections } from './connections.ts';
import { closedError, isAccessDenied, mayNotReadAll } from './errors.ts';
import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import { createReader } from './reader.ts';
import { openSubscription } from './subscription.ts';

export interface EventStoreDbOptions {
  /** `esdb://` or `esdb+discover://`. TLS is on unless the address has `?tls=false`. */
  readonly url: string;
  /** The longest time without any reply of the server within a call, in milliseconds (3000). */
  readonly timeoutMs?: number;
  /** The longest time of a call in milliseconds, including repetitions (5000). If nobody listens, it fails at once. */
  readonly giveUpMs?: number;
  /** Milliseconds of quiet after which a subscription is checked by a read (5000). */
  readonly quietMs?: number;
}

/**
 * The record in EventStoreDB (22.6 or newer). It connects with the first call: if the store is away, that call rejects
 * with `STORE_UNAVAILABLE`, not this function. The user needs the rights to write the streams and to read `$all`. Use a
 * database for this record alone: events that others write there appear as events with a broken chain.
 *
 * @throws {TypeError} for a connection string that cannot be used; its text is not in the message.
 *
 * @example
 * const store = await openEventStoreDb({ url: 'esdb://user:password@node-1:2113,node-2:2113' });
 * await store.append('ask-1', NO_STREAM, [event]);
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  const { url, timeoutMs = 3000, giveUpMs = 5000, quietMs = 5000 } = options;
  const connections = openConnections(parseAddress(url), { timeoutMs, giveUpMs });
  const reading = new AbortController();
  const subscribing = new AbortController();
  const reader = createReader(connections, reading.signal);
  const appender = createAppender(connections, reader);
  const writing = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  const assertOpen = (): void => {
    if (closed !== undefined) throw closedError();
  };

  const track = async <T>(write: Promise<T>): Promise<T> => {
    writing.add(write);
    try {
      return await write;
    } finally {
      writing.delete(write);
    }
  };

  /**
   * Accepted appends are finished first. They need reads, because an append reads the previous event, so reads are
   * ended afterwards.
   */
  const close = async (): Promise<void> => {
    subscribing.abort(closedError());
    await Promise.allSettled(writing);
    reading.abort(closedError());
    await connections.close();
  };

  return {
    async append(stream, expectedRevision, events) {
      const prepared = prepareAppend(stream, events);
      assertOpen();
      return track(appender.append(stream, expectedRevision, prepared.events));
    },
    readStream: (stream, how) => reader.stream(stream, how),
    readAll: (how) => reader.all(how),
    async end() {
      assertOpen();
      return reader.end();
    },
    async *scan(stream) {
      assertOpen();
      if (stream === undefined) {
        const hidden = new HiddenEvents();
        yield* inPages(
          reader.all({}, (other) => hidden.note(other)),
          () => hidden.faults(),
        );
        return;
      }
      try {
        yield* inPages(reader.stream(stream));
      } catch (error) {
        if (!isBelegError(error, 'STREAM_CORRUPT')) throw error;
        const fault = { kind: 'hidden', stream, detail: 'it was deleted permanently' } as const;
        yield { events: [], faults: [fault], total: null };
      }
    },
    subscribe(how = {}) {
      assertOpen();
      return openSubscription(connections, quietMs, how, subscribing.signal);
    },
    /**
     * Checks that the leader can be reached and accepts us, that its writer answers (it has to refuse a write), and
     * that we may read `$all`, which is a separate right. It writes nothing, so it does not check whether the disk has
     * room.
     */
    async ping() {
      assertOpen();
      await track(appender.probe());
      try {
        await reader.end();
      } catch (error) {
        throw isBelegError(error, 'STORE_UNAVAILABLE') && isAccessDenied(error.cause)
          ? mayNotReadAll()
          : error;
      }
    },
    close: () => (closed ??= close()),
  };
}

/** The prefix of the stream that holds another stream's metadata. */
const METADATA_OF = '$$';
/** Metadata that hides events from readers of a stream, but not from readers of `$all`. */
const RESTRICTIONS = ['$tb', '$maxCount', '$maxAge'];

/**
 * Streams of which the server withholds events, because of their newest metadata or because they were deleted. Our code
 * does neither.
 */
class HiddenEvents {
  readonly #details = new Map<string, string>();

  /** Takes note of one of the server's own events, in the order of `$all`. */
  note({ event }: AllStreamResolvedEvent): void {
    if (event === undefined) return;
    const { streamId, type, data } = event;
    if (type === '$streamDeleted') {
      this.#details.set(streamId, 'it was deleted permanently');
    } else if (type === '$metadata' && streamId.startsWith(METADATA_OF)) {
      const stream = streamId.slice(METADATA_OF.length);
      const set = RESTRICTIONS.filter((name) => typeof data === 'object' && data !== null && name in data);
      if (set.length > 0) this.#details.set(stream, `its metadata sets ${set.join(' and ')}`);
      else this.#details.delete(stream);
    }
  }

  faults(): StoreFault[] {
    return [...this.#details]
      .filter(([stream]) => !stream.startsWith('$'))
      .map(([stream, detail]) => ({ kind: 'hidden', stream, detail }));
  }
}
