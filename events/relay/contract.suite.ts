import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Headers } from '../bus/bus.ts';
import { defineEvent, streamHash } from '../define.ts';
import { BelegError } from '../errors.ts';
import type { Json } from '../json.ts';
import { openEmbeddedStore } from '../store/embedded/embedded.ts';
import {
  NO_STREAM,
  type EventStore,
  type NewEvent,
  type Position,
  type SubscriptionItem,
} from '../store/store.ts';
import type { PublishedEvent } from './event-message.ts';
import type { Outlet, OutgoingEvent } from './outlet.ts';
import { runRelay, type RelayOptions } from './relay.ts';

export const Noted = defineEvent('test', 'Noted', { n: z.int() });

/** A message as a subscriber got it. */
export interface Received {
  readonly subject: string;
  readonly headers: Headers;
  readonly event: PublishedEvent;
}

export interface OutletFixture {
  /** Opens the outlet of another process. */
  open(): Promise<Outlet>;
  /** The first `n` messages there are, in order. */
  received(n: number): Promise<Received[]>;
  /** All messages so far. */
  all(): Promise<Received[]>;
  close(): Promise<void>;
}

export function noted(n: number, type = 'Noted', data: Json = { n }): NewEvent {
  const metadata = { at: '2022-03-01T08:00:00Z', version: 1, $correlationId: 'r-1', $causationId: 'c-1' };
  return { id: randomUUID(), type, data, metadata };
}

export function notes(from: number, count: number, type?: string): NewEvent[] {
  return Array.from({ length: count }, (_, i) => noted(from + i, type));
}

/** An outgoing event as the relay makes them; `n` gives its place. */
export function outgoing(n: number): OutgoingEvent {
  return {
    id: randomUUID(),
    subject: Noted.subject('notes'),
    data: Buffer.from(JSON.stringify({ type: 'Noted', stream: 'notes', revision: n, data: { n } })),
    headers: { 'event-type': 'Noted' },
    position: String(n).padStart(16, '0') as Position,
  };
}

export const numbers = (messages: readonly Received[]): number[] =>
  messages.map(({ event }) => (event.data as { n: number }).n);

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Relays of one test, all ended and waited for at its end. */
export class Relays {
  readonly #running: { stop: AbortController; ended: Promise<void> }[] = [];

  start(options: Omit<RelayOptions, 'definitions'> & Partial<RelayOptions>): () => Promise<void> {
    const stop = new AbortController();
    const ended = runRelay(
      { definitions: [Noted], pauses: { firstMs: 5, longestMs: 80 }, ...options },
      stop.signal,
    );
    ended.catch(() => undefined);
    this.#running.push({ stop, ended });
    return async () => {
      stop.abort();
      await ended;
    };
  }

  async end(): Promise<void> {
    for (const { stop } of this.#running) stop.abort();
    await Promise.allSettled(this.#running.map(({ ended }) => ended));
  }
}

/** The contract of the `Outlet` port for every adapter, and of the relay with it, over a real store. */
export function outletContract(
  name: string,
  openFixture: (store: EventStore) => Promise<OutletFixture>,
): void {
  describe(`outlet: ${name}`, () => {
    let folder: string;
    let store: EventStore;
    let fixture: OutletFixture;
    let outlet: Outlet;
    let relays: Relays;

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'relay-'));
      store = await openEmbeddedStore({ file: join(folder, 'events.db') });
      fixture = await openFixture(store);
      outlet = await fixture.open();
      relays = new Relays();
    });

    afterEach(async () => {
      await relays.end();
      await fixture.close();
      await store.close();
      rmSync(folder, { recursive: true });
    });

    /** In one process there is nothing older to relay than the first call. */
    const start = async (options: Partial<RelayOptions> = {}): Promise<() => Promise<void>> => {
      await outlet.begin();
      return relays.start({ store, outlet, ...options });
    };

    describe('publishing', () => {
      it('starts with no place, and is then as far as it has published', async () => {
        expect(await outlet.begin()).toBeUndefined();
        const events = [outgoing(1), outgoing(2), outgoing(3)];
        await outlet.publish(events);
        expect(await outlet.begin()).toBe(events[2]!.position);
        expect(await (await fixture.open()).begin()).toBe(events[2]!.position);
      });

      it('hands out subject, headers and data, in the order published', async () => {
        await outlet.begin();
        await outlet.publish([outgoing(1), outgoing(2)]);
        await outlet.publish([outgoing(3)]);
        const messages = await fixture.received(3);
        expect(numbers(messages)).toEqual([1, 2, 3]);
        expect(messages[0]).toMatchObject({
          subject: `beleg.v1.evt.test.noted.${streamHash('notes')}`,
          headers: { 'event-type': 'Noted' },
          event: { type: 'Noted', stream: 'notes', revision: 1 },
        });
      });

      it('remembers what needs no publishing', async () => {
        await outlet.begin();
        await outlet.publish([outgoing(1)]);
        const passed = outgoing(2).position;
        await outlet.advance(passed);
        expect(await (await fixture.open()).begin()).toBe(passed);
        await outlet.publish([outgoing(3)]);
        expect(await (await fixture.open()).begin()).toBe(outgoing(3).position);
      });

      it('never goes back', async () => {
        await outlet.begin();
        await outlet.publish([outgoing(2)]);
        await outlet.advance(outgoing(1).position);
        expect(await (await fixture.open()).begin()).toBe(outgoing(2).position);
      });
    });

    describe('relay', () => {
      it('publishes what is committed, as it is on record', async () => {
        await start();
        await store.append('notes', NO_STREAM, [
          { ...noted(0), metadata: { ...noted(0).metadata, traceparent: '00-a-b-01', key: 'r-1' } },
        ]);
        const [recorded] = await Array.fromAsync(store.readStream('notes'));
        const [message] = await fixture.received(1);
        expect(message).toMatchObject({
          subject: Noted.subject('notes'),
          headers: {
            'content-type': 'application/json',
            'event-type': 'Noted',
            'correlation-id': 'r-1',
            traceparent: '00-a-b-01',
          },
        });
        expect(message!.event).toEqual({ ...recorded, revision: 0 });
        expect(message!.event.metadata.hash).toMatch(/^[0-9a-f]{64}$/);
      });

      it('keeps the order of the record, whatever came at once', async () => {
        await start();
        const streams = upTo(20).map((i) => `notes-${i}`);
        await Promise.all(
          streams.map(async (stream) => {
            let revision = NO_STREAM;
            for (let n = 0; n < 10; n++) {
              revision = (await store.append(stream, revision, [noted(n)])).revision;
            }
          }),
        );
        const messages = await fixture.received(200);
        const positions = messages.map(({ event }) => event.position);
        expect(positions).toEqual(positions.toSorted());
        for (const stream of streams) {
          expect(numbers(messages.filter(({ event }) => event.stream === stream))).toEqual(upTo(10));
        }
      });

      it('relays thousands quickly, each once', async () => {
        await start();
        for (let n = 0; n < 5000; n += 500) await store.append('notes', BigInt(n - 1), notes(n, 500));
        expect(numbers(await fixture.received(5000))).toEqual(upTo(5000));
        expect(await fixture.all()).toHaveLength(5000);
      });

      it('passes by what the catalogue lacks, and need not look at it again', async () => {
        const reached = Promise.withResolvers<void>();
        const watched = watchAdvance(outlet, (position) => position === head && reached.resolve());
        await outlet.begin();
        await store.append('notes', NO_STREAM, notes(0, 2));
        await store.append('others', NO_STREAM, notes(0, 300, 'Forgotten'));
        await store.append('notes', 1n, [noted(2)]);
        const { position: head } = await store.append('more', NO_STREAM, notes(0, 3, 'Forgotten'));
        await start({ outlet: watched });
        await reached.promise;
        expect(numbers(await fixture.received(3))).toEqual([0, 1, 2]);
        expect(await fixture.all()).toHaveLength(3);
        expect(await (await fixture.open()).begin()).toBe(head);
      });

      it('goes on where it stopped', async () => {
        const stop = await start();
        await store.append('notes', NO_STREAM, notes(0, 3));
        await fixture.received(3);
        await stop();
        await store.append('notes', 2n, notes(3, 3));
        await start();
        expect(numbers(await fixture.received(6))).toEqual(upTo(6));
        expect(await fixture.all()).toHaveLength(6);
      });

      it('goes on by itself when the store was away, at its start or in between', async () => {
        const errors: unknown[] = [];
        let reads = 0;
        const flaky = replace(store, {
          subscribe(options) {
            const subscription = store.subscribe(options);
            reads++;
            if (reads === 1) throw new BelegError('STORE_UNAVAILABLE');
            if (reads > 2) return subscription;
            return {
              close: () => subscription.close(),
              async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionItem> {
                let left = 2;
                for await (const item of subscription) {
                  if (left-- === 0) throw new BelegError('STORE_UNAVAILABLE');
                  yield item;
                }
              },
            };
          },
        });
        await outlet.begin();
        await store.append('notes', NO_STREAM, notes(0, 10));
        await start({ store: flaky, onError: (error) => errors.push(error) });
        expect(numbers(await fixture.received(10))).toEqual(upTo(10));
        expect(await fixture.all()).toHaveLength(10);
        expect(errors).toMatchObject([{ code: 'STORE_UNAVAILABLE' }, { code: 'STORE_UNAVAILABLE' }]);
      });

      it('tries again when a subscription just ends', async () => {
        const tried = Promise.withResolvers<void>();
        let subscriptions = 0;
        const ending = replace(store, {
          subscribe(options) {
            const subscription = store.subscribe(options);
            if (++subscriptions === 1) void subscription.close();
            return subscription;
          },
        });
        await start({ store: ending, onError: () => tried.resolve() });
        await tried.promise;
        await store.append('notes', NO_STREAM, [noted(0)]);
        expect(numbers(await fixture.received(1))).toEqual([0]);
      });

      it('ends with a fault that does not pass', async () => {
        const broken = replace(store, {
          subscribe() {
            throw new BelegError('STREAM_CORRUPT');
          },
        });
        const ended = runRelay({ store: broken, outlet, definitions: [Noted] }, new AbortController().signal);
        await expect(ended).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
      });

      it('publishes an event that does not fit without its data', async () => {
        await start();
        const fitting = noted(0, 'Noted', { text: 'x'.repeat(1000 * 1024) });
        const tooLarge = noted(1, 'Noted', { text: 'x'.repeat(1023 * 1024) });
        await store.append('notes', NO_STREAM, [fitting]);
        await store.append('notes', 0n, [tooLarge]);
        const messages = await fixture.received(2);
        expect(messages[0]!.event.data).toEqual(fitting.data);
        expect(messages[1]!.event).toMatchObject({ id: tooLarge.id, revision: 1, data: null });
      });

      it('publishes an event whose correlation id no header can hold', async () => {
        await start();
        const event = noted(0);
        event.metadata.$correlationId = 'a\r\nb';
        await store.append('notes', NO_STREAM, [event]);
        const [message] = await fixture.received(1);
        expect(message!.event.metadata.$correlationId).toBe('a\r\nb');
        expect(message!.headers).not.toHaveProperty('correlation-id');
      });

      it('ends, also when an outlet hangs', async () => {
        const publishing = Promise.withResolvers<void>();
        const hanging: Outlet = {
          begin: (...given) => outlet.begin(...given),
          isWhole: () => outlet.isWhole(),
          published: {},
          advance: (position) => outlet.advance(position),
          publish: () => (publishing.resolve(), new Promise(() => {})),
        };
        const stopHanging = await start({ outlet: hanging });
        await store.append('notes', NO_STREAM, notes(0, 3));
        await publishing.promise;
        await stopHanging();
        const stopIdle = await start();
        await fixture.received(3);
        await stopIdle();
      });

      it('does not begin where it is aborted already', async () => {
        const unused = replace(outlet, {
          begin() {
            throw new Error('used');
          },
        });
        await runRelay({ store, outlet: unused, definitions: [Noted] }, AbortSignal.abort());
      });
    });
  });
}

/** The same object with some methods replaced. */
export function replace<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (name in methods) return methods[name as keyof T];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function watchAdvance(outlet: Outlet, onAdvanced: (position: Position) => void): Outlet {
  return replace(outlet, {
    async advance(position) {
      await outlet.advance(position);
      onAdvanced(position);
    },
  });
}
