import type { Codec, DomainEvent } from '../define.ts';
import { isBelegError } from '../errors.ts';
import { isDiskFault } from '../sqlite/faults.ts';
import type { CatchUpSubscription, EventStore, Position, RecordedEvent } from '../store/store.ts';
import { ProjectionError, type Projection } from './projection.ts';
import type { ProjectionTables } from './tables.ts';

/** Events in one transaction at most: some milliseconds of the event loop. */
const MAX_BATCH = 256;

interface Decoded {
  readonly event: DomainEvent<string, unknown>;
  readonly recorded: RecordedEvent;
}

interface PipelineOptions {
  store: EventStore;
  codec: Codec;
  projection: Projection;
  tables: ProjectionTables;
  /** After each transaction and each time that history is at its end. */
  onProgress: (progress: { caughtUp: boolean }) => void;
}

/** True for faults that go away by themselves: the same work may simply be tried again. */
export function isTransient(error: unknown): boolean {
  return isDiskFault(error) || isBelegError(error, 'STORE_UNAVAILABLE');
}

/** Carries events from a subscription into tables, in order, once each, many to a transaction. */
export class Pipeline {
  readonly #options: PipelineOptions;
  #subscription: CatchUpSubscription | undefined;
  #batch: Decoded[] = [];
  #flushing: NodeJS.Immediate | undefined;
  #failure: { error: unknown } | undefined;
  #caughtUp = false;
  #delivered: Position | '';

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#delivered = options.tables.position;
  }

  /**
   * Everything up to this event is in the tables, or was in them at the beginning. What a checkpoint of the store says was
   * passed by does not count here: whoever compares this with the record would believe the store.
   */
  get delivered(): Position | '' {
    return this.#delivered;
  }

  /** The tables are others now. */
  replaced(): void {
    this.#delivered = this.#options.tables.position;
  }

  /**
   * From the checkpoint on, until `stop()`. Rejects with a `ProjectionError` at an event that cannot be projected (all
   * before it are in the tables), or with the fault of the store or the disk.
   */
  async run(): Promise<void> {
    const { store, projection, tables } = this.#options;
    this.#batch = [];
    this.#failure = undefined;
    this.#caughtUp = false;
    this.#subscription = store.subscribe({
      after: tables.position === '' ? undefined : tables.position,
      types: projection.types,
    });
    try {
      for await (const item of this.#subscription) {
        if (item.kind === 'event') {
          await this.#take(item.event);
        } else {
          this.flush();
          if (item.kind === 'caughtUp') this.#caughtUp = true;
          else if (item.position > tables.position) tables.advance(item.position, () => {});
          this.#options.onProgress({ caughtUp: this.#caughtUp });
        }
        this.#throwIfFailed();
      }
      this.#throwIfFailed();
    } finally {
      clearImmediate(this.#flushing);
      this.#flushing = undefined;
    }
  }

  /**
   * Writes what is decoded and waits. Synchronous, so that a swap can stand on it. Where it throws, `run()` ends with
   * the same error: whoever called it, nothing after the fault is applied.
   */
  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    this.#throwIfFailed();
    const { tables } = this.#options;
    // A swap may have brought the tables further than this subscription is.
    const batch = this.#batch.filter(({ recorded }) => recorded.position > tables.position);
    this.#batch = [];
    if (batch.length === 0) return;
    try {
      const fault = this.#apply(batch);
      if (fault !== undefined) {
        this.#apply(batch.slice(0, fault.index));
        throw new ProjectionError(batch[fault.index]!.recorded, fault.cause);
      }
    } catch (error) {
      this.#failure = { error };
      void this.stop();
      throw error;
    }
    this.#delivered = batch.at(-1)!.recorded.position;
    this.#options.onProgress({ caughtUp: this.#caughtUp });
  }

  async stop(): Promise<void> {
    await this.#subscription?.close();
  }

  async #take(recorded: RecordedEvent): Promise<void> {
    let event: DomainEvent<string, unknown> | undefined;
    try {
      event = await this.#options.codec.decode(recorded);
    } catch (cause) {
      if (isTransient(cause)) throw cause;
      this.flush();
      throw new ProjectionError(recorded, cause);
    }
    // An event of a newer release: the projection that knows it will have a new version, and rebuild.
    if (event === undefined) {
      if (this.#batch.length === 0) this.#delivered = recorded.position;
      return;
    }
    this.#throwIfFailed();
    this.#batch.push({ event, recorded });
    if (this.#batch.length >= MAX_BATCH) this.flush();
    else this.#flushing ??= setImmediate(() => this.#flushSoon());
  }

  /** At the end of a turn nothing more is at hand: a lone event is not kept waiting for company. */
  #flushSoon(): void {
    try {
      this.flush();
    } catch (error) {
      this.#failure ??= { error };
      void this.stop();
    }
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** All of the batch in one transaction, or the first event that does not go in, and nothing. */
  #apply(batch: readonly Decoded[]): { index: number; cause: unknown } | undefined {
    const last = batch.at(-1);
    if (last === undefined) return undefined;
    const { projection, tables } = this.#options;
    let index = 0;
    try {
      tables.advance(last.recorded.position, () => {
        for (index = 0; index < batch.length; index++) {
          const { event, recorded } = batch[index]!;
          projection.apply(tables, event, recorded);
        }
      });
      return undefined;
    } catch (cause) {
      if (index === batch.length || isTransient(cause)) throw cause;
      return { index, cause };
    }
  }
}
