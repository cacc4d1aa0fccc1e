import type { Logger } from 'pino';
import type { Codec, DomainEvent } from '../../events/define.ts';
import { isBelegError } from '../../events/errors.ts';
import type { EventStore, NewEvent } from '../../events/store/store.ts';
import type { ASK } from '../../actors/streams/knowledge.ts';
import type { AuditLines } from '../audit/lines.ts';
import type { WritersOf } from '../streams/writers.ts';
import type { Spool, SpoolEntry } from './spool.ts';

interface RecorderOptions {
  store: EventStore;
  codec: Codec;
  spool: Spool;
  asks: WritersOf<typeof ASK>;
  now: () => Date;
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
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #retryMs: number;
  #lost: number;
  /** Nothing was stored or spooled since the last loss. */
  #losing: boolean;
  /** The store could not be reached: until it can, nothing waits for it, wherever events go instead. */
  #away = false;
  #delivering: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#retryMs = options.retryMs ?? 1000;
    this.#lost = options.spool.damaged;
    this.#losing = this.#lost > 0;
    if (options.spool.size > 0) this.#deliverLater();
  }

  /** Appends the events at the stream's end, all or none. Never rejects. */
  async record(stream: string, events: readonly Event[]): Promise<Recorded> {
    const { codec, spool, lines, logger } = this.#options;
    let encoded: NewEvent[] | undefined;
    try {
      encoded = await Promise.all(events.map((event) => codec.encode(event)));
      if (spool.size === 0 && !this.#away) {
        const recorded = await this.#append({ stream, events: encoded });
        events.forEach((event, index) => lines(event, recorded[index]!.revision));
        return 'stored';
      }
    } catch (error) {
      if (isBelegError(error, 'REQUEST_ERASED')) return 'erased';
      logger.warn({ err: error, stream }, 'events cannot be stored right now; keeping them in the spool');
      if (encoded !== undefined && isBelegError(error, 'STORE_UNAVAILABLE')) this.#storeIsAway();
      // Without its key, text could only be kept in the open; an append that is no good now is none later.
      if (isHopeless(error)) encoded = undefined;
    }
    for (const event of events) lines(event, null);
    if (encoded !== undefined && (await this.#keep({ stream, events: encoded }))) return 'spooled';
    this.#lose(stream, events.length);
    return 'lost';
  }

  #storeIsAway(): void {
    this.#away = true;
    this.#deliverLater();
  }

  async #keep(entry: SpoolEntry): Promise<boolean> {
    try {
      await this.#options.spool.push(entry);
      this.#losing = false;
      this.#deliverLater();
      return true;
    } catch (error) {
      this.#options.logger.error(
        { err: error, stream: entry.stream },
        'the spool cannot keep the events either',
      );
      return false;
    }
  }

  status(): { spooled: number; lost: number; losing: boolean } {
    return { spooled: this.#options.spool.size, lost: this.#lost, losing: this.#losing };
  }

  /** Delivers what is spooled, in order, until it is empty or the store fails. One delivery runs at a time. */
  deliver(): Promise<void> {
    this.#delivering ??= this.#deliverAll().finally(() => {
      this.#delivering = undefined;
      if (this.#away || this.#options.spool.size > 0) this.#deliverLater();
    });
    return this.#delivering;
  }

  /** Stops delivering; what is still spooled waits on disk for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#delivering;
    await this.#options.spool.close();
  }

  async #deliverAll(): Promise<void> {
    const { store, spool, logger } = this.#options;
    let delivered = 0;
    if (spool.size === 0) {
      // Nothing could be kept, so there is nothing to try the store with.
      this.#away = await store.ping().then(
        () => false,
        () => true,
      );
      return;
    }
    for (let entry = spool.first(); entry !== undefined && !this.#closed; entry = spool.first()) {
      try {
        await this.#append(entry);
        this.#away = false;
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
        this.#lose(entry.stream, entry.events.length);
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
  async #append({ stream, events }: SpoolEntry): Promise<readonly { readonly revision: bigint }[]> {
    const { $correlationId: correlationId, $causationId: callId } = events[0]!.metadata;
    const recorded = await this.#options.asks.of(stream).append(events, { correlationId, callId });
    this.#losing = false;
    return recorded;
  }

  #deliverLater(): void {
    if (this.#closed || this.#timer !== undefined || this.#delivering !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.deliver();
    }, this.#retryMs);
    this.#timer.unref();
  }

  #lose(stream: string, count: number): void {
    this.#lost += count;
    this.#losing = true;
    this.#options.logger.error(
      { stream, count, lost: this.#lost },
      'events were lost: neither the store nor the spool could keep them',
    );
  }
}

/** Trying again cannot help. */
function isHopeless(error: unknown): boolean {
  return isBelegError(error, 'APPEND_TOO_LARGE', 'STREAM_CORRUPT');
}
