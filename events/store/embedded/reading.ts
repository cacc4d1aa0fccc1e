import { setImmediate as nextTurn } from 'node:timers/promises';
import { closedError } from '../../sqlite/group-commit.ts';
import type {
  CatchUpSubscription,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionItem,
} from '../store.ts';
import { fromPosition, PAGE_EVENTS, toPosition, type Reader } from './reader.ts';

/** A subscription sends a checkpoint after this many events of other types, and at the end of history. */
const CHECKPOINT_EVERY = 256;

/** The reading half of the store: pages from disk, and subscriptions that read on after each `committed`. */
export function openReading(reader: Reader) {
  /** The subscriptions that are open. */
  const subscriptions = new Set<{ wake(): void; close(): Promise<void> }>();
  /** The number of commits so far. A subscription compares it, so that it does not miss a commit during a read. */
  let commits = 0;
  let closed = false;

  const assertOpen = (): void => {
    if (closed) throw closedError();
  };

  async function* readStream(
    stream: string,
    { direction = 'forwards', limit = Infinity, from }: ReadStreamOptions = {},
  ): AsyncGenerator<RecordedEvent> {
    const forwards = direction === 'forwards';
    let next = Number(from ?? (forwards ? 0 : Number.MAX_SAFE_INTEGER));
    let left = limit;
    while (left > 0) {
      assertOpen();
      const events = reader.streamPage(stream, direction, next, Math.min(left, PAGE_EVENTS));
      for (const event of events) yield event;
      left -= events.length;
      const last = events.at(-1);
      if (last === undefined || (!forwards && last.revision === 0n)) return;
      next = Number(last.revision) + (forwards ? 1 : -1);
      if (left > 0) await nextTurn();
    }
  }

  async function* readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    const { direction = 'forwards', types } = options;
    assertOpen();
    // Reads up to the present end only. Otherwise a busy writer would keep a read from ending.
    const head = reader.head();
    const [start, until] = direction === 'forwards' ? [0, head] : [head + 1, 1];
    let after = options.after === undefined ? start : fromPosition(options.after);
    let left = options.limit ?? Infinity;
    while (left > 0 && (direction === 'forwards' ? after < until : after > until)) {
      assertOpen();
      const limit = Math.min(left, PAGE_EVENTS);
      const { events, scannedTo } = reader.allPage({ direction, after, until, limit, types });
      for (const event of events) yield event;
      left -= events.length;
      after = scannedTo;
      if (left > 0) await nextTurn();
    }
  }

  /**
   * History and live events are read in the same way: pages from disk after the last position, woken by commits. So
   * there is no switch at which an event could be lost or doubled, and a slow consumer costs no memory beyond one page.
   */
  const subscribe = (options: SubscribeOptions = {}): CatchUpSubscription => {
    assertOpen();
    const { types } = options;
    const start = options.after === undefined ? 0 : fromPosition(options.after);
    let ended = false;
    let woken = Promise.withResolvers<void>();
    const close = async (): Promise<void> => {
      ended = true;
      woken.resolve();
      subscriptions.delete(open);
    };
    const open = { wake: () => woken.resolve(), close };
    subscriptions.add(open);
    const isEnded = (): boolean => ended;

    async function* items(): AsyncGenerator<SubscriptionItem, void, void> {
      let behind = true;
      try {
        // A position beyond the end belongs to another record, so reading begins at the start.
        let after = start > reader.head() ? 0 : start;
        let told = after;
        while (!isEnded()) {
          const seen = commits;
          const head = reader.head();
          while (after < head) {
            const limit = PAGE_EVENTS;
            const page = reader.allPage({ direction: 'forwards', after, until: head, limit, types });
            for (const event of page.events) {
              yield { kind: 'event', event };
              if (isEnded()) return;
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
              if (isEnded()) return;
            }
          }
          if (seen !== commits) continue;
          if (behind) {
            behind = false;
            yield { kind: 'caughtUp' };
          }
          if (seen === commits && !isEnded()) {
            woken = Promise.withResolvers();
            await woken.promise;
          }
        }
      } finally {
        await close();
      }
    }
    return { [Symbol.asyncIterator]: items, close };
  };

  return {
    readStream,
    readAll,
    async end(): Promise<Position | undefined> {
      assertOpen();
      const head = reader.head();
      return head === 0 ? undefined : toPosition(head);
    },
    subscribe,
    /** The number of open subscriptions. */
    subscribed: (): number => subscriptions.size,
    /** To be called after a commit, so that waiting subscriptions read on. */
    committed(): void {
      commits++;
      for (const subscription of subscriptions) subscription.wake();
    },
    async close(): Promise<void> {
      if (closed) return;
      closed = true;
      for (const subscription of subscriptions) await subscription.close();
      reader.close();
    },
  };
}
