import { START, type AllStreamResolvedEvent, type Position as ServerPosition } from '@eventstore/db-client';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, RETRY_PAUSES } from '../../retry-pauses.ts';
import {
  hasPlace,
  type CatchUpSubscription,
  type Position,
  type SubscribeOptions,
  type SubscriptionItem,
} from '../store.ts';
import type { Connections } from './connections.ts';
import { closedError, isInvalidPosition, Silence } from './errors.ts';
import { serverFilter } from './filter.ts';
import { openInbox } from './inbox.ts';
import { fromPosition, toPosition } from './positions.ts';
import { createReader } from './reader.ts';
import { positionOf, toRecorded } from './recorded.ts';

const CAUGHT_UP = Symbol('caught up');
const QUIET = Symbol('quiet');

/** An item of the client's stream, in the order of the server, or the result of a check because no item arrives. */
type Arrival = AllStreamResolvedEvent | { checkpoint: ServerPosition } | typeof CAUGHT_UP | typeof QUIET;

/**
 * A subscription that survives breaks of its connection: it begins again after the last item that the consumer took. It
 * ends only when it is closed, or when `stopping` aborts.
 *
 * @param quietMs after this long without an item, a read checks whether the server holds something back.
 */
export function openSubscription(
  connections: Connections,
  quietMs: number,
  { types, ...options }: SubscribeOptions,
  stopping: AbortSignal,
): CatchUpSubscription {
  if (options.after !== undefined) fromPosition(options.after);
  const closing = new AbortController();
  const signal = AbortSignal.any([stopping, closing.signal]);
  const reader = createReader(connections, signal);
  /** The position up to which everything was delivered, or needs no delivery. */
  let { after } = options;
  /** The end of the record when it was last read; the record may have grown since. */
  let end: Position | undefined;

  const isAhead = (place: Position): boolean => after === undefined || place > after;

  const noteEnd = (seen: Position | undefined): void => {
    if (seen !== undefined && (end === undefined || seen > end)) end = seen;
  };

  /**
   * Whether the record reaches a place. A place beyond its end is not valid: a subscriber that kept it would never get
   * later events.
   */
  const isReached = async (place: Position): Promise<boolean> => {
    if (!hasPlace(end, place)) noteEnd(await reader.end());
    return hasPlace(end, place);
  };

  const checkpoint = (position: Position): SubscriptionItem => {
    after = position;
    return { kind: 'checkpoint', position };
  };

  async function* items(arrival: Exclude<Arrival, symbol>): AsyncGenerator<SubscriptionItem> {
    if ('checkpoint' in arrival) {
      const place = toPosition(arrival.checkpoint);
      // If the server has read nothing, it names the place where it began, which is 2^64 - 1 for the start.
      if (isAhead(place) && (await isReached(place))) yield checkpoint(place);
      return;
    }
    const place = positionOf(arrival);
    if (!isAhead(place)) return;
    after = place;
    noteEnd(place);
    const event = toRecorded(arrival, place);
    if (event !== undefined) yield { kind: 'event', event };
  }

  /** One subscription at the server, until it ends or breaks. */
  async function* session(connection: Connections['current']): AsyncGenerator<SubscriptionItem> {
    const { timeoutMs } = connections.limits;
    // The server accepts any place as a beginning, even one beyond the end, and would never deliver the events before
    // it.
    if (after !== undefined && !hasPlace(await reader.end(), after)) after = undefined;
    const source = connection.subscribeToAll({
      fromPosition: after === undefined ? START : fromPosition(after),
      // Checkpoints go through the stream's buffer too. If they were handled here, they would overtake events that are
      // still in it.
      filter: serverFilter(types, (reached) => void source.push({ checkpoint: reached })),
      requiresLeader: true,
    });
    let confirmed = false;
    let live = false;
    source.on('confirmation', () => (confirmed = true));
    source.on('caughtUp', () => source.push(CAUGHT_UP));
    const inbox = openInbox<Arrival>(source, signal, () => source.unsubscribe());
    try {
      for (;;) {
        let looked: Position | undefined;
        const come = await inbox
          .next(confirmed ? quietMs : timeoutMs)
          .catch(async (error): Promise<Arrival[]> => {
            if (!(error instanceof Silence) || !confirmed) throw error;
            const beyond = await reader.beyond(after, types);
            if (beyond.wanted) return inbox.next(timeoutMs);
            looked = beyond.end;
            // The subscription has caught up. A server before 23.10 never says so.
            return [live ? QUIET : CAUGHT_UP];
          });
        if (come.length === 0) return;
        // If the server has named no place since the session began, the place that was read is used.
        if (looked !== undefined && isAhead(looked)) yield checkpoint(looked);
        for (const arrival of come) {
          if (arrival === QUIET) continue;
          if (arrival !== CAUGHT_UP) {
            yield* items(arrival);
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

  const close = async (): Promise<void> => closing.abort(closedError());
  return {
    close,
    async *[Symbol.asyncIterator]() {
      let failures = 0;
      try {
        while (!signal.aborted) {
          const connection = connections.current;
          try {
            for await (const item of session(connection)) {
              failures = 0;
              yield item;
              if (signal.aborted) return;
            }
          } catch (error) {
            // The consumer can do nothing about the fault. `ping` reports a store that stays away.
            if (error instanceof Silence) connections.silent(connection);
            // The record has no event at this place, so the place belongs to another record.
            if (isInvalidPosition(error)) after = undefined;
          }
          await sleep(backoff(++failures, RETRY_PAUSES.eventStoreSubscription), undefined, { signal }).catch(
            () => undefined,
          );
        }
      } finally {
        await close();
      }
    },
  };
}
