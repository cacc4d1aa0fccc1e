import { setImmediate as nextTurn } from 'node:timers/promises';
import { closedError } from '../../sqlite/group-commit.ts';
import type {
  CatchUpSubscription,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  RecordReader,
  SubscribeOptions,
  SubscriptionItem,
} from '../store.ts';
import { fromPosition, PAGE_EVENTS, toPosition, type Reader } from './reader.ts';

/** The reading half of the store: pages from disk, and subscriptions that are woken by `committed`. */
export class Reading implements RecordReader {
  readonly #reader: Reader;
  readonly #subscriptions = new Set<DiskSubscription>();
  #closed = false;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Subscriptions that are open. */
  get subscribed(): number {
    return this.#subscriptions.size;
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
      for (const event of events) yield event;
      left -= events.length;
      const last = events.at(-1);
      if (last === undefined || (direction === 'backwards' && last.revision === 0n)) return;
      from = Number(last.revision) + step;
      if (left > 0) await nextTurn();
    }
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    const { direction = 'forwards', limit = Infinity, types } = options;
    this.#assertOpen();
    // What is there now: a reader does not chase a busy writer for ever.
    const head = this.#reader.head();
    const [start, until] = direction === 'forwards' ? [0, head] : [head + 1, 1];
    let after = options.after === undefined ? start : fromPosition(options.after);
    let left = limit;
    while (left > 0 && (direction === 'forwards' ? after < until : after > until)) {
      this.#assertOpen();
      const page = this.#reader.allPage({
        direction,
        after,
        until,
        limit: Math.min(left, PAGE_EVENTS),
        types,
      });
      for (const event of page.events) yield event;
      left -= page.events.length;
      after = page.scannedTo;
      if (left > 0) await nextTurn();
    }
  }

  async end(): Promise<Position | undefined> {
    this.#assertOpen();
    const head = this.#reader.head();
    return head === 0 ? undefined : toPosition(head);
  }

  subscribe(options: SubscribeOptions = {}): CatchUpSubscription {
    this.#assertOpen();
    const subscription = new DiskSubscription(this.#reader, {
      after: options.after === undefined ? 0 : fromPosition(options.after),
      types: options.types,
      onClose: (ended) => this.#subscriptions.delete(ended),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  /** Something was committed: those who wait read on. */
  committed(): void {
    for (const subscription of this.#subscriptions) subscription.committed();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const subscription of this.#subscriptions) await subscription.close();
    this.#reader.close();
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError();
  }
}

/** A checkpoint is sent where this many events of other types were passed over, and at the end of history. */
const CHECKPOINT_EVERY = 256;

interface SubscriptionOptions {
  readonly after: number;
  readonly types: readonly string[] | undefined;
  readonly onClose: (subscription: DiskSubscription) => void;
}

/**
 * History and live are one thing here: pages read from disk after the last position, woken by commits. So there is no
 * switch that could lose or double an event, and a slow consumer costs no memory beyond one page.
 */
class DiskSubscription implements CatchUpSubscription {
  readonly #reader: Reader;
  readonly #options: SubscriptionOptions;
  #closed = false;
  /** Commits heard of; the loop compares it, so that one during a read is not missed. */
  #commits = 0;
  #wake: (() => void) | undefined;

  constructor(reader: Reader, options: SubscriptionOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionItem, void, void> {
    let behind = true;
    try {
      // Beyond the end there is no place of this record.
      let { after } = this.#options;
      if (after > this.#reader.head()) after = 0;
      let told = after;
      while (!this.#closed) {
        const seen = this.#commits;
        const head = this.#reader.head();
        while (after < head) {
          const page = this.#reader.allPage({
            direction: 'forwards',
            after,
            until: head,
            limit: PAGE_EVENTS,
            types: this.#options.types,
          });
          for (const event of page.events) {
            yield { kind: 'event', event };
            if (this.#closed) return;
          }
          const last = page.events.at(-1);
          if (last !== undefined) told = Number(last.position);
          after = page.scannedTo;
          if (after - told >= CHECKPOINT_EVERY || (behind && after === head && told < head)) {
            yield { kind: 'checkpoint', position: toPosition(after) };
            told = after;
          }
          if (after < head) {
            behind = true;
            await nextTurn();
            if (this.#closed) return;
          }
        }
        if (seen !== this.#commits) continue;
        if (behind) {
          behind = false;
          yield { kind: 'caughtUp' };
        }
        if (seen === this.#commits && !this.#closed) {
          await new Promise<void>((resolve) => (this.#wake = resolve));
        }
      }
    } finally {
      this.#end();
    }
  }

  /** Something was committed: read on. */
  committed(): void {
    this.#commits++;
    this.#wake?.();
  }

  async close(): Promise<void> {
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wake?.();
    this.#options.onClose(this);
  }
}
