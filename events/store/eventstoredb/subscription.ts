import { START, type AllStreamResolvedEvent, type Position as ServerPosition } from '@eventstore/db-client';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, type Pauses } from '../../backoff.ts';
import { hasPlace, type CatchUpSubscription, type Position, type SubscriptionItem } from '../store.ts';
import type { Connections } from './connections.ts';
import { closedError, isInvalidPosition, Silence } from './errors.ts';
import { serverFilter } from './filter.ts';
import { Inbox } from './inbox.ts';
import { fromPosition, toPosition } from './positions.ts';
import { Reader } from './reader.ts';
import { positionOf, toRecorded } from './recorded.ts';

const PAUSES: Pauses = { firstMs: 50, longestMs: 2_000 };

const CAUGHT_UP = Symbol('caught up');
const QUIET = Symbol('quiet');

/** What comes out of the client's stream, in the order of the server, or what is found out because nothing does. */
type Arrival = AllStreamResolvedEvent | { checkpoint: ServerPosition } | typeof CAUGHT_UP | typeof QUIET;

/**
 * A subscription that outlives its connections: after whatever break it begins anew behind the last item that the
 * consumer took. It ends only when it is closed.
 */
export class ResumingSubscription implements CatchUpSubscription {
  readonly #connections: Connections;
  /** After so long without anything it is looked up whether the server keeps something back. */
  readonly #quietMs: number;
  readonly #types: readonly string[] | undefined;
  readonly #reader: Reader;
  readonly #onClose: (subscription: ResumingSubscription) => void;
  readonly #closing = new AbortController();
  /** Everything up to here was delivered, or looked at. */
  #after: Position | undefined;
  /** An end of the record that was seen; it may have grown since. */
  #end: Position | undefined;

  constructor(
    connections: Connections,
    options: {
      quietMs: number;
      after: Position | undefined;
      types: readonly string[] | undefined;
      onClose: (subscription: ResumingSubscription) => void;
    },
  ) {
    if (options.after !== undefined) fromPosition(options.after);
    this.#connections = connections;
    this.#quietMs = options.quietMs;
    this.#after = options.after;
    this.#types = options.types;
    this.#reader = new Reader(connections, this.#closing.signal);
    this.#onClose = options.onClose;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionItem, void, void> {
    const { signal } = this.#closing;
    let failures = 0;
    try {
      while (!signal.aborted) {
        const connection = this.#connections.current;
        try {
          for await (const item of this.#session(connection)) {
            failures = 0;
            yield item;
            if (signal.aborted) return;
          }
        } catch (error) {
          // Whatever it is, the consumer cannot help it: `ping` tells of a store that stays away.
          if (error instanceof Silence) this.#connections.silent(connection);
          // No event stands there, nor between two: it is a place of another record.
          if (isInvalidPosition(error)) this.#after = undefined;
        }
        await sleep(backoff(++failures, PAUSES), undefined, { signal }).catch(() => undefined);
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
    const { timeoutMs } = this.#connections.limits;
    const { signal } = this.#closing;
    // The server takes any place for one where a session may begin, and would never deliver what comes before it.
    if (this.#after !== undefined && !hasPlace(await this.#reader.end(), this.#after))
      this.#after = undefined;
    const source = connection.subscribeToAll({
      fromPosition: this.#after === undefined ? START : fromPosition(this.#after),
      // In its place among the events that are still in the stream's buffer: what happened here would overtake them.
      filter: serverFilter(this.#types, (checkpoint) => void source.push({ checkpoint })),
      requiresLeader: true,
    });
    let confirmed = false;
    let live = false;
    source.on('confirmation', () => (confirmed = true));
    source.on('caughtUp', () => source.push(CAUGHT_UP));
    const inbox = new Inbox<Arrival>(source, signal, () => source.unsubscribe());
    try {
      for (;;) {
        let looked: Position | undefined;
        const come = await inbox
          .next(confirmed ? this.#quietMs : timeoutMs)
          .catch(async (error): Promise<Arrival[]> => {
            if (!(error instanceof Silence) || !confirmed) throw error;
            const { end, wanted } = await this.#reader.beyond(this.#after, this.#types);
            if (wanted) return inbox.next(timeoutMs);
            looked = end;
            // Nothing is missing. A server before 23.10 never says so.
            return [live ? QUIET : CAUGHT_UP];
          });
        if (come.length === 0) return;
        // The server may have told no place since the session began: this one is looked up.
        if (looked !== undefined && this.#isAhead(looked)) yield this.#checkpoint(looked);
        for (const arrival of come) {
          if (arrival === QUIET) continue;
          if (arrival !== CAUGHT_UP) {
            yield* this.#items(arrival);
            continue;
          }
          live = true;
          yield { kind: 'caughtUp' };
        }
      }
    } finally {
      inbox.close();
    }
  }

  async *#items(arrival: Exclude<Arrival, symbol>): AsyncGenerator<SubscriptionItem> {
    if ('checkpoint' in arrival) {
      const place = toPosition(arrival.checkpoint);
      // Where the server has looked at nothing it names the place where it began: 2^64 - 1 for the start.
      if (this.#isAhead(place) && (await this.#isReached(place))) yield this.#checkpoint(place);
      return;
    }
    const place = positionOf(arrival);
    if (!this.#isAhead(place)) return;
    this.#after = place;
    this.#noteEnd(place);
    const event = toRecorded(arrival, place);
    if (event !== undefined) yield { kind: 'event', event };
  }

  #checkpoint(place: Position): SubscriptionItem {
    this.#after = place;
    return { kind: 'checkpoint', position: place };
  }

  #isAhead(place: Position): boolean {
    return this.#after === undefined || place > this.#after;
  }

  /** A place beyond the end of the record is none: whoever kept it would never be given what comes. */
  async #isReached(place: Position): Promise<boolean> {
    if (hasPlace(this.#end, place)) return true;
    this.#noteEnd(await this.#reader.end());
    return hasPlace(this.#end, place);
  }

  #noteEnd(end: Position | undefined): void {
    if (end !== undefined && (this.#end === undefined || end > this.#end)) this.#end = end;
  }
}
