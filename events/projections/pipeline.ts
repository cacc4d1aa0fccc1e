import type { Codec, DomainEvent } from '../define.ts';
import { isBelegError } from '../errors.ts';
import { isDiskFault } from '../sqlite/faults.ts';
import type { CatchUpSubscription, EventStore, Position, RecordedEvent } from '../store/store.ts';
import { ProjectionError, type Projection } from './projection.ts';
import { TablesMoved, type ProjectionTables } from './tables.ts';

/** The most events of one transaction. Writing them blocks the event loop for some milliseconds. */
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
  /** Called with each event that was set aside. */
  onSetAside?: (error: ProjectionError) => void;
  /** Called after each transaction, and whenever the end of the history is reached. */
  onProgress: (progress: { caughtUp: boolean }) => void;
}

/** True for faults that go away by themselves: the same work may simply be tried again. */
export function isTransient(error: unknown): boolean {
  return isDiskFault(error) || isBelegError(error, 'STORE_UNAVAILABLE') || error instanceof TablesMoved;
}

/** Carries events from a subscription into tables, in order, once each, many to a transaction. */
export function pipelineOf({ store, codec, projection, tables, onProgress, onSetAside }: PipelineOptions) {
  let subscription: CatchUpSubscription | undefined;
  let batch: Decoded[] = [];
  let flushing: NodeJS.Immediate | undefined;
  let failure: { error: unknown } | undefined;
  let isCaughtUp = false;
  let upTo = tables.position;

  async function take(recorded: RecordedEvent): Promise<void> {
    let event: DomainEvent<string, unknown> | undefined;
    try {
      event = await codec.decode(recorded);
    } catch (cause) {
      if (isTransient(cause)) throw cause;
      flush();
      return setAside(new ProjectionError(recorded, cause));
    }
    // An event type of a newer release is skipped. The release that knows it raises the projection's version, which
    // causes a rebuild.
    if (event === undefined) {
      if (batch.length === 0) upTo = recorded.position;
      return;
    }
    throwIfFailed();
    batch.push({ event, recorded });
    if (batch.length >= MAX_BATCH) flush();
    else flushing ??= setImmediate(flushSoon);
  }

  /** Flushes at the end of the turn, so that a single event does not wait for others. */
  function flushSoon(): void {
    try {
      flush();
    } catch (error) {
      failure ??= { error };
      void stop();
    }
  }

  function throwIfFailed(): void {
    if (failure !== undefined) throw failure.error;
  }

  /** Skips an event that cannot be applied, if its projection allows that; throws otherwise. */
  function setAside(error: ProjectionError): void {
    if (projection.setsAside?.(error.event.type) !== true) throw error;
    if (error.event.position <= tables.position) return;
    tables.setAside(error.event);
    upTo = error.event.position;
    onSetAside?.(error);
  }

  /** Applies the whole batch in one transaction. If an event fails, it applies nothing and returns that event. */
  function apply(all: readonly Decoded[]): { index: number; cause: unknown } | undefined {
    const last = all.at(-1);
    if (last === undefined) return undefined;
    let index = 0;
    try {
      tables.advance(last.recorded.position, () => {
        for (index = 0; index < all.length; index++) {
          const { event, recorded } = all[index]!;
          projection.apply(tables, event, recorded);
        }
      });
      return undefined;
    } catch (cause) {
      if (index === all.length || isTransient(cause)) throw cause;
      return { index, cause };
    }
  }

  /**
   * Writes the decoded events that wait. It is synchronous, because a swap of tables relies on this. If it throws,
   * `run()` rejects with the same error, whoever called it: nothing after the fault is applied.
   */
  function flush(): void {
    clearImmediate(flushing);
    flushing = undefined;
    throwIfFailed();
    // After a swap the tables may be further than this subscription.
    let due = batch.filter(({ recorded }) => recorded.position > tables.position);
    batch = [];
    const last = due.at(-1);
    if (last === undefined) return;
    try {
      for (let fault = apply(due); fault !== undefined; fault = apply(due)) {
        apply(due.slice(0, fault.index));
        setAside(new ProjectionError(due[fault.index]!.recorded, fault.cause));
        due = due.slice(fault.index + 1);
      }
    } catch (error) {
      failure = { error };
      void stop();
      throw error;
    }
    upTo = last.recorded.position;
    onProgress({ caughtUp: isCaughtUp });
  }

  async function stop(): Promise<void> {
    await subscription?.close();
  }

  return {
    /**
     * The last event that is in the tables, with all events before it. Checkpoints of the store do not count: this
     * position is compared with the record to find out whether the store has delivered every event.
     */
    get delivered(): Position | '' {
      return upTo;
    },
    /** To be called when the tables were replaced by rebuilt ones. */
    replaced(): void {
      upTo = tables.position;
    },
    /**
     * Reads from the place on, until `stop()`. Rejects with a `ProjectionError` at an event that cannot be projected
     * (all events before it are in the tables), or with the fault of the store or the disk.
     */
    async run(): Promise<void> {
      batch = [];
      failure = undefined;
      isCaughtUp = false;
      subscription = store.subscribe({
        after: tables.position === '' ? undefined : tables.position,
        types: projection.types,
      });
      try {
        for await (const item of subscription) {
          if (item.kind === 'event') await take(item.event);
          else {
            flush();
            if (item.kind === 'caughtUp') isCaughtUp = true;
            else if (item.position > tables.position) tables.advance(item.position, () => {});
            onProgress({ caughtUp: isCaughtUp });
          }
          throwIfFailed();
        }
        throwIfFailed();
      } finally {
        clearImmediate(flushing);
        flushing = undefined;
      }
    },
    flush,
    stop,
  };
}

export type Pipeline = ReturnType<typeof pipelineOf>;
