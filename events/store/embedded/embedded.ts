import { setImmediate as nextTurn } from 'node:timers/promises';
import { BelegError } from '../../errors.ts';
import { closedError, GroupCommit } from '../../sqlite/group-commit.ts';
import { prepareAppend } from '../prepare.ts';
import type {
  AppendResult,
  CatchUpSubscription,
  EventFilter,
  EventStore,
  NewEvent,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../store.ts';
import { PAGE_EVENTS, Reader, toPosition } from './reader.ts';
import { DiskSubscription } from './subscription.ts';
import type { WriteJob, WriteResult } from './writer.ts';

/**
 * The record in one SQLite file: a writer thread with group commit (`synchronous=FULL`), readers on the caller's
 * thread. One process a file. Rejects with `STORE_UNAVAILABLE` when the file cannot be opened or is in use.
 *
 * @example
 * const store = await openEmbeddedStore({ file: 'data/events.db' });
 * await store.append('ask-1', NO_STREAM, [event]);
 */
export async function openEmbeddedStore(options: { file: string }): Promise<EventStore> {
  const subscriptions = new Set<DiskSubscription>();
  const writer = await GroupCommit.open<WriteJob, WriteResult>({
    file: options.file,
    thread: new URL('./writer.ts', import.meta.url),
    onCommit: () => {
      for (const subscription of subscriptions) subscription.committed();
    },
  });
  try {
    return new EmbeddedStore(writer, new Reader(options.file), subscriptions);
  } catch (error) {
    await writer.close();
    throw error;
  }
}

class EmbeddedStore implements EventStore {
  readonly #writer: GroupCommit<WriteJob, WriteResult>;
  readonly #reader: Reader;
  readonly #subscriptions: Set<DiskSubscription>;
  #closed = false;

  constructor(
    writer: GroupCommit<WriteJob, WriteResult>,
    reader: Reader,
    subscriptions: Set<DiskSubscription>,
  ) {
    this.#writer = writer;
    this.#reader = reader;
    this.#subscriptions = subscriptions;
  }

  async append(stream: string, expectedRevision: bigint, events: readonly NewEvent[]): Promise<AppendResult> {
    const prepared = prepareAppend(stream, events);
    const expected = Number(expectedRevision);
    const result = await this.#writer.submit(
      { kind: 'append', stream, expected, events: prepared.events },
      prepared.bytes,
    );
    if (result.kind !== 'appended') {
      const reason = result.kind === 'conflict' ? result.reason : result.kind;
      throw new BelegError('WRONG_EXPECTED_REVISION', { cause: new Error(`${stream}: ${reason}`) });
    }
    return {
      revision: BigInt(result.revision),
      position: toPosition(result.position),
      repeated: result.repeated,
    };
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    const { direction = 'forwards', limit = Infinity } = options;
    const step = direction === 'forwards' ? 1 : -1;
    let from =
      options.from === undefined
        ? direction === 'forwards'
          ? 0
          : Number.MAX_SAFE_INTEGER
        : Number(options.from);
    let left = limit;
    while (left > 0) {
      this.#assertOpen();
      const events = this.#reader.streamPage(stream, direction, from, Math.min(left, PAGE_EVENTS));
      yield* events;
      left -= events.length;
      const last = events.at(-1);
      if (last === undefined || (direction === 'backwards' && last.revision === 0n)) return;
      from = Number(last.revision) + step;
      if (left > 0) await nextTurn();
    }
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    const { direction = 'forwards', limit = Infinity, filter } = options;
    this.#assertOpen();
    // What is there now: a reader does not chase a busy writer for ever.
    const head = this.#reader.head();
    const [start, until] = direction === 'forwards' ? [0, head] : [head + 1, 1];
    let after = options.after === undefined ? start : Number(options.after);
    let left = limit;
    while (left > 0 && (direction === 'forwards' ? after < until : after > until)) {
      this.#assertOpen();
      const page = this.#reader.allPage({
        direction,
        after,
        until,
        limit: Math.min(left, PAGE_EVENTS),
        filter,
      });
      yield* page.events;
      left -= page.events.length;
      after = page.scannedTo;
      if (left > 0) await nextTurn();
    }
  }

  subscribe(options: { after?: Position; filter?: EventFilter } = {}): CatchUpSubscription {
    this.#assertOpen();
    const subscription = new DiskSubscription(this.#reader, {
      after: options.after === undefined ? 0 : Number(options.after),
      filter: options.filter,
      onClose: (ended) => this.#subscriptions.delete(ended),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async ping(): Promise<void> {
    await this.#writer.submit({ kind: 'ping' }, 0);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const subscription of this.#subscriptions) await subscription.close();
    // The writer last: the last connection that may write brings the write-ahead log home into the file.
    this.#reader.close();
    await this.#writer.close();
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError();
  }
}
