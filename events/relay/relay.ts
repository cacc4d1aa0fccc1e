import { setTimeout as pause, setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyEventDefinition } from '../define.ts';
import { BelegError, isBelegError } from '../errors.ts';
import { backoff, RETRY_PAUSES, type Pauses } from '../retry-pauses.ts';
import { unlessAborted } from '../timeout-and-abort.ts';
import { hasPlace, type EventStore, type Position } from '../store/store.ts';
import { toOutgoing } from './event-message.ts';
import type { Outlet, OutgoingEvent } from './outlet.ts';

export interface RelayOptions {
  store: EventStore;
  outlet: Outlet;
  /** The definitions of the events to publish. Other events are not published. */
  definitions: readonly AnyEventDefinition[];
  /** Called with each fault after which the relay tries again. It must not throw itself. */
  onError?: (error: unknown) => void;
  /** Called if the kept place is not in this record. Events after the last known place are published again. */
  onLostPlace?: (place: Position) => void;
  /** Called with the place at which the relay begins, and with the last event each time that events were published. */
  onDelivered?: (place: Position | undefined) => void;
  /** The pauses between attempts; tests have shorter ones. */
  pauses?: Pauses;
}

/**
 * Publishes committed events from the record to the outlet, from its place on, until `signal` aborts: each at least
 * once, in the order of the record. It continues by itself if the store or the outlet was away, or another relay has
 * published in between; any other fault rejects.
 *
 * Run it under a lease. Two relays that overlap for a moment do no harm if the outlet is fenced.
 *
 * @example
 * await leases.run('relay', (held) => runRelay({ store, outlet, definitions: CATALOG }, held), stopping.signal);
 */
export async function runRelay(options: RelayOptions, signal: AbortSignal): Promise<void> {
  const { onError = () => {}, pauses = RETRY_PAUSES.relay } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await relayFromCheckpoint(options, signal, () => (failures = 0));
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) throw error;
      onError(error);
      await pause(backoff(++failures, pauses), undefined, { signal }).catch(() => undefined);
    }
  }
}

function isTransient(error: unknown): boolean {
  return isBelegError(error, 'STORE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'WRONG_EXPECTED_REVISION');
}

async function relayFromCheckpoint(
  { store, outlet, definitions, onLostPlace = () => {}, onDelivered = () => {} }: RelayOptions,
  signal: AbortSignal,
  onPublished: () => void,
): Promise<void> {
  const stands = async (place: Position): Promise<boolean> => {
    const known = hasPlace(await store.end(), place);
    if (!known) onLostPlace(place);
    return known;
  };
  // The work may go on after the abort: it is fenced, and the next relay reads the place.
  const after = await unlessAborted(outlet.begin(stands), signal);
  onDelivered(after);
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const subscription = store.subscribe({ after, types: [...byType.keys()] });
  const end = () => void subscription.close();
  signal.addEventListener('abort', end, { once: true });
  const batches = openBatches(outlet, {
    onPublished: (last) => {
      if (last !== undefined) onDelivered(last);
      onPublished();
    },
    onFailed: end,
  });
  try {
    for await (const item of subscription) {
      if (signal.aborted) return;
      if (item.kind === 'checkpoint') batches.passed(item.position);
      if (item.kind !== 'event') continue;
      const definition = byType.get(item.event.type);
      if (definition === undefined) continue;
      batches.add(toOutgoing(definition, item.event));
      if (batches.isFull()) await unlessAborted(batches.room(), signal);
    }
    await unlessAborted(batches.settled(), signal);
    if (!signal.aborted) throw new BelegError('STORE_UNAVAILABLE', { detail: 'the subscription has ended' });
  } finally {
    signal.removeEventListener('abort', end);
    batches.close();
    await subscription.close();
  }
}

/** The most events of a batch. They are sent together, and may have to be sent again. */
const MAX_EVENTS = 256;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Publishes one batch after the other, while the next one is gathered. A single event is published at the end of the
 * event loop's turn. After the first fault nothing more is published: `room` and `settled` reject with it.
 *
 * @param on its `onPublished` gets the place of the last event that was published; skipped events do not count.
 */
function openBatches(
  outlet: Outlet,
  on: { onPublished: (last: Position | undefined) => void; onFailed: () => void },
) {
  let events: OutgoingEvent[] = [];
  let bytes = 0;
  /** The position up to which everything is in the batch, or needs no publishing. */
  let passed: Position | undefined;
  let taken = Promise.withResolvers<void>();
  let sending: Promise<void> | undefined;

  const isFull = (): boolean => events.length >= MAX_EVENTS || bytes >= MAX_BYTES;

  const sendAll = async (): Promise<void> => {
    try {
      await nextTurn();
      while (events.length > 0 || passed !== undefined) {
        const batch = { events, passed };
        [events, bytes, passed] = [[], 0, undefined];
        taken.resolve();
        taken = Promise.withResolvers();
        if (batch.events.length > 0) await outlet.publish(batch.events);
        if (batch.passed !== undefined) await outlet.advance(batch.passed);
        on.onPublished(batch.events.at(-1)?.position);
      }
      sending = undefined;
    } catch (error) {
      taken.promise.catch(() => undefined);
      taken.reject(error);
      on.onFailed();
      throw error;
    }
  };

  const send = (): void => {
    if (sending !== undefined) return;
    sending = sendAll();
    // A failure is reported by `room` and `settled`. The promise stays rejected, so that nothing else is sent.
    sending.catch(() => undefined);
  };

  return {
    add(event: OutgoingEvent): void {
      events.push(event);
      bytes += event.data.byteLength;
      passed = undefined;
      send();
    },
    /** To be called if no event between the last one and this position needs publishing. */
    passed(position: Position): void {
      passed = position;
      send();
    },
    isFull,
    /** Resolves when the next event may be added. */
    async room(): Promise<void> {
      while (isFull()) await taken.promise;
    },
    /** Resolves when all that was added is published. */
    settled: async (): Promise<void> => sending,
    /** Stops: running work ends by itself, and no more is begun. */
    close: (): void => void ([events, passed] = [[], undefined]),
  };
}
