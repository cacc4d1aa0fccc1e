import type { Logger } from 'pino';
import type { Codec, DomainEvent } from '../../events/define.ts';
import { isBelegError } from '../../events/errors.ts';
import type { EventStore, NewEvent } from '../../events/store/store.ts';
import type { ASK } from '../../actors/streams/knowledge.ts';
import type { AuditLines } from '../audit/stdout-lines.ts';
import type { WritersOf } from '../streams/writers.ts';
import type { Spool, SpoolEntry } from './spool.ts';

interface RecorderOptions {
  store: EventStore;
  codec: Codec;
  spool: Spool;
  asks: WritersOf<typeof ASK>;
  lines: AuditLines;
  logger: Logger;
  /** Milliseconds between attempts to deliver what is spooled. */
  retryMs?: number;
}

type Event = DomainEvent<string, unknown>;

/**
 * Where events are now: durable in the store, durable in the spool on their way there, or nowhere: `erased` where they
 * have text of a request whose text is erased, which takes no more.
 */
export type Recorded = 'stored' | 'spooled' | 'lost' | 'erased';

/**
 * Puts events on record without ever failing the caller: into the store, else into the spool, else the loss is
 * counted. While anything is spooled, everything goes through the spool, so that a stream keeps its order.
 */
export function recorderOf({ store, codec, spool, asks, lines, logger, retryMs = 1000 }: RecorderOptions) {
  let lost = spool.damaged;
  /** Nothing was stored or spooled since the last loss. */
  let losing = lost > 0;
  /** The store could not be reached: until it can, nothing waits for it, wherever events go instead. */
  let isAway = false;
  let delivering: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  async function keep(entry: SpoolEntry): Promise<boolean> {
    try {
      await spool.push(entry);
      losing = false;
      deliverLater();
      return true;
    } catch (error) {
      logger.error({ err: error, stream: entry.stream }, 'the spool cannot keep the events either');
      return false;
    }
  }

  function deliver(): Promise<void> {
    delivering ??= deliverAll().finally(() => {
      delivering = undefined;
      if (isAway || spool.size > 0) deliverLater();
    });
    return delivering;
  }

  async function deliverAll(): Promise<void> {
    let delivered = 0;
    if (spool.size === 0) {
      // Nothing could be kept, so there is nothing to try the store with.
      isAway = await store.ping().then(
        () => false,
        () => true,
      );
      return;
    }
    for (let entry = spool.first(); entry !== undefined && !closing.signal.aborted; entry = spool.first()) {
      try {
        await append(entry);
        isAway = false;
        delivered += entry.events.length;
      } catch (error) {
        if (!isHopeless(error)) {
          logger.warn({ err: error, waiting: spool.size }, 'events still cannot be stored');
          return;
        }
        logger.error(
          { err: error, stream: entry.stream },
          'an append from the spool can never be stored; it is dropped',
        );
        lose(entry.stream, entry.events.length);
      }
      try {
        await spool.shift();
      } catch (error) {
        // Taken out of memory, still in the file: the next start finds it stored already and drops it.
        logger.warn({ err: error }, 'the spool could not be emptied');
      }
    }
    if (delivered > 0) logger.info({ delivered }, 'events from the spool were stored');
  }

  /** Once each, also where an append that failed lands now, or another process delivers it as well. */
  async function append({ stream, events }: SpoolEntry): Promise<readonly { readonly revision: bigint }[]> {
    const { $correlationId: correlationId, $causationId: callId } = events[0]!.metadata;
    const recorded = await asks.of(stream).append(events, { correlationId, callId });
    losing = false;
    return recorded;
  }

  function deliverLater(): void {
    if (closing.signal.aborted || timer !== undefined || delivering !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void deliver();
    }, retryMs);
    timer.unref();
  }

  function lose(stream: string, count: number): void {
    lost += count;
    losing = true;
    logger.error(
      { stream, count, lost },
      'events were lost: neither the store nor the spool could keep them',
    );
  }

  if (spool.size > 0) deliverLater();
  return {
    /** Begins to make the key that these events will be sealed with, so that `record` need not wait for it. */
    prepare(events: readonly Event[]): void {
      // What goes wrong, `record` meets again.
      for (const event of events) codec.encode(event).catch(() => undefined);
    },

    /** Appends the events at the stream's end, all or none. Never rejects. */
    async record(stream: string, events: readonly Event[]): Promise<Recorded> {
      let encoded: NewEvent[] | undefined;
      try {
        encoded = await Promise.all(events.map((event) => codec.encode(event)));
        if (spool.size === 0 && !isAway) {
          const recorded = await append({ stream, events: encoded });
          events.forEach((event, index) => lines(event, recorded[index]!.revision));
          return 'stored';
        }
      } catch (error) {
        if (isBelegError(error, 'REQUEST_ERASED')) return 'erased';
        logger.warn({ err: error, stream }, 'events cannot be stored right now; keeping them in the spool');
        if (encoded !== undefined && isBelegError(error, 'STORE_UNAVAILABLE')) {
          isAway = true;
          deliverLater();
        }
        // Without its key, text could only be kept in the open; an append that is no good now is none later.
        if (isHopeless(error)) encoded = undefined;
      }
      for (const event of events) lines(event, null);
      if (encoded !== undefined && (await keep({ stream, events: encoded }))) return 'spooled';
      lose(stream, events.length);
      return 'lost';
    },

    status: () => ({ spooled: spool.size, lost, losing }),

    /** Delivers what is spooled, in order, until it is empty or the store fails. One delivery runs at a time. */
    deliver,

    /** Stops delivering; what is still spooled waits on disk for the next start. */
    async close(): Promise<void> {
      closing.abort();
      clearTimeout(timer);
      await delivering;
      await spool.close();
    },
  };
}

export type Recorder = ReturnType<typeof recorderOf>;

/** Trying again cannot help. */
function isHopeless(error: unknown): boolean {
  return isBelegError(error, 'APPEND_TOO_LARGE', 'STREAM_CORRUPT');
}
