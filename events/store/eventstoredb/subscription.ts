import { START, type AllStreamResolvedEvent, type Position as ServerPosition } from '@eventstore/db-client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatchUpSubscription, EventFilter, Position, SubscriptionItem } from '../store.ts';
import type { Limits } from './attempts.ts';
import type { Connections } from './connections.ts';
import { closedError, Silence } from './errors.ts';
import { matches, serverFilter } from './filter.ts';
import { Inbox } from './inbox.ts';
import { fromPosition, toPosition } from './positions.ts';
import type { Reader } from './reader.ts';
import { placeOf, toRecorded } from './recorded.ts';

export interface SubscriptionLimits extends Limits {
  /** After so long without anything it is looked up whether the server keeps something back. */
  readonly quietMs: number;
}

/** A checkpoint is sent where our half of the filter has passed over this many events. */
const CHECKPOINT_EVERY = 256;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

const CAUGHT_UP = Symbol('caught up');
const QUIET = Symbol('quiet');

/** What comes out of the client's stream, in the order of the server. */
type Arrival = AllStreamResolvedEvent | { checkpoint: ServerPosition } | typeof CAUGHT_UP;

/**
 * A subscription that outlives its connections: after whatever break it begins anew behind the last item that the
 * consumer took. It ends only when it is closed.
 */
export class ResumingSubscription implements CatchUpSubscription {
  readonly #connections: Connections;
  readonly #limits: SubscriptionLimits;
  readonly #filter: EventFilter;
  readonly #reader: Reader;
  readonly #onClose: (subscription: ResumingSubscription) => void;
  readonly #closing = new AbortController();
  /** Everything up to here was delivered, or looked at. */
  #after: Position | undefined;
  /** Events that our half of the filter dropped since the consumer last heard of a position. */
  #passed = 0;

  constructor(
    connections: Connections,
    limits: SubscriptionLimits,
    options: {
      after: Position | undefined;
      filter: EventFilter | undefined;
      createReader: (signal: AbortSignal) => Reader;
      onClose: (subscription: ResumingSubscription) => void;
    },
  ) {
    if (options.after !== undefined) fromPosition(options.after);
    this.#connections = connections;
    this.#limits = limits;
    this.#after = options.after;
    this.#filter = options.filter ?? {};
    this.#reader = options.createReader(this.#closing.signal);
    this.#onClose = options.onClose;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionItem, void, void> {
    const { signal } = this.#closing;
    let pause = FIRST_PAUSE_MS;
    try {
      while (!signal.aborted) {
        const connection = this.#connections.current;
        try {
          for await (const item of this.#session(connection)) {
            pause = FIRST_PAUSE_MS;
            yield item;
            if (signal.aborted) return;
          }
        } catch (error) {
          // Whatever it is, the consumer cannot help it: `ping` tells of a store that stays away.
          if (error instanceof Silence) this.#connections.replace(connection);
        }
        await sleep(pause, undefined, { signal }).catch(() => undefined);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(closedError());
    this.#onClose(this);
  }

  /** One subscription at the server, until it ends or breaks. */
  async *#session(connection: Connections['current']): AsyncGenerator<SubscriptionItem> {
    const { timeoutMs, quietMs } = this.#limits;
    const { signal } = this.#closing;
    const source = connection.subscribeToAll({
      fromPosition: this.#after === undefined ? START : fromPosition(this.#after),
      // In its place among the events that are still in the stream's buffer: what happened here would overtake them.
      filter: serverFilter(this.#filter, (checkpoint) => void source.push({ checkpoint })),
      requiresLeader: true,
    });
    let confirmed = false;
    let live = false;
    source.on('confirmation', () => (confirmed = true));
    source.on('caughtUp', () => source.push(CAUGHT_UP));
    const inbox = new Inbox<Arrival>(source, () => source.unsubscribe());
    try {
      for (;;) {
        const arrival = await inbox.next(confirmed ? quietMs : timeoutMs, signal).catch(async (error) => {
          if (!(error instanceof Silence) || !confirmed) throw error;
          if (await this.#isBehind()) return inbox.next(timeoutMs, signal);
          // Nothing is missing. A server before 23.10 never says so.
          return live ? QUIET : CAUGHT_UP;
        });
        if (arrival === undefined) return;
        if (arrival === QUIET) continue;
        if (arrival !== CAUGHT_UP) {
          yield* this.#items(arrival);
          continue;
        }
        live = true;
        if (this.#passed > 0) yield this.#checkpoint();
        yield { kind: 'caughtUp' };
      }
    } finally {
      inbox.close();
    }
  }

  *#items(arrival: Exclude<Arrival, symbol>): Generator<SubscriptionItem> {
    const isCheckpoint = 'checkpoint' in arrival;
    const position = toPosition(isCheckpoint ? arrival.checkpoint : placeOf(arrival.event?.position));
    if (this.#after !== undefined && position <= this.#after) return;
    this.#after = position;
    const event = isCheckpoint ? undefined : toRecorded(arrival);
    if (event !== undefined && matches(this.#filter, event)) {
      this.#passed = 0;
      yield { kind: 'event', event };
    } else if (isCheckpoint || ++this.#passed >= CHECKPOINT_EVERY) {
      yield this.#checkpoint();
    }
  }

  #checkpoint(): SubscriptionItem {
    this.#passed = 0;
    return { kind: 'checkpoint', position: this.#after! };
  }

  /** True where a read finds an event that the subscription should have delivered. */
  async #isBehind(): Promise<boolean> {
    const after = this.#after === undefined ? {} : { after: this.#after };
    for await (const _ of this.#reader.all({ ...after, filter: this.#filter, limit: 1 })) return true;
    return false;
  }
}
