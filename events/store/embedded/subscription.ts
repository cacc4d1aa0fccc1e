import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatchUpSubscription, EventFilter, SubscriptionItem } from '../store.ts';
import { PAGE_EVENTS, toPosition, type Reader } from './reader.ts';

/** A checkpoint is sent where a filter has passed over this many events, and at the end of history. */
const CHECKPOINT_EVERY = 256;

/**
 * History and live are one thing here: pages read from disk after the last position, woken by commits. So there is no
 * switch that could lose or double an event, and a slow consumer costs no memory beyond one page.
 */
export class DiskSubscription implements CatchUpSubscription {
  readonly #reader: Reader;
  readonly #start: number;
  readonly #filter: EventFilter | undefined;
  readonly #onClose: (subscription: DiskSubscription) => void;
  #closed = false;
  /** Commits heard of; the loop compares it, so that one during a read is not missed. */
  #commits = 0;
  #wake: (() => void) | undefined;

  constructor(
    reader: Reader,
    options: {
      after: number;
      filter: EventFilter | undefined;
      onClose: (subscription: DiskSubscription) => void;
    },
  ) {
    this.#reader = reader;
    this.#start = options.after;
    this.#filter = options.filter;
    this.#onClose = options.onClose;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionItem, void, void> {
    let behind = true;
    try {
      // Beyond the end there is no place of this record.
      let after = this.#start > this.#reader.head() ? 0 : this.#start;
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
            filter: this.#filter,
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
    this.#onClose(this);
  }
}
