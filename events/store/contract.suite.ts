import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBelegError } from '../errors.ts';
import type { Json } from '../json.ts';
import { verifyChain } from '../proof/verify-stream.ts';
import { GENESIS_HASH, recordedHash } from './chain.ts';
import {
  hasPlace,
  MAX_APPEND_BYTES,
  NO_STREAM,
  type CatchUpSubscription,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
  type SubscriptionItem,
} from './store.ts';
import { verifyRecord } from '../proof/verify.ts';

/** Opens stores over one and the same record, which outlives them; `dispose` removes it. */
export interface StoreHarness {
  open(): Promise<EventStore>;
  dispose(): Promise<void>;
}

export function newEvent(data: Json = {}, type = 'Noted'): NewEvent {
  const metadata = { at: '2022-03-01T08:00:00Z', version: 1, $correlationId: 'r-1', $causationId: 'c-1' };
  return { id: randomUUID(), type, data, metadata };
}

export const newEvents = (count: number, type?: string): NewEvent[] =>
  Array.from({ length: count }, (_, n) => newEvent({ n }, type));

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const big = (bytes: number): NewEvent => newEvent({ text: 'x'.repeat(bytes) });

const ids = (events: readonly { id: string }[]): string[] => events.map((event) => event.id);

/** False for a conflict; any other failure is one of the test. */
async function wins(appending: Promise<unknown>): Promise<boolean> {
  try {
    await appending;
    return true;
  } catch (error) {
    if (isBelegError(error, 'WRONG_EXPECTED_REVISION')) return false;
    throw error;
  }
}

const CONFLICT = { code: 'WRONG_EXPECTED_REVISION' };

/** Reads a subscription item by item; `events(n)` skips what is no event. */
function listen(subscription: CatchUpSubscription) {
  const iterator = subscription[Symbol.asyncIterator]();
  const next = async (): Promise<SubscriptionItem> => {
    const item = await iterator.next();
    if (item.done === true) throw new Error('the subscription has ended');
    return item.value;
  };
  const until = async (wanted: (item: SubscriptionItem) => boolean): Promise<SubscriptionItem[]> => {
    const items: SubscriptionItem[] = [];
    for (;;) {
      const item = await next();
      items.push(item);
      if (wanted(item)) return items;
    }
  };
  const events = async (count: number): Promise<RecordedEvent[]> => {
    const found: RecordedEvent[] = [];
    while (found.length < count) {
      const item = await next();
      if (item.kind === 'event') found.push(item.event);
    }
    return found;
  };
  return { next, until, events, caughtUp: () => until((item) => item.kind === 'caughtUp') };
}

/** All items until the subscription ends, and a promise for its first catch-up. */
function follow(subscription: CatchUpSubscription) {
  const caughtUp = Promise.withResolvers<void>();
  const items = (async () => {
    const all: SubscriptionItem[] = [];
    for await (const item of subscription) {
      all.push(item);
      if (item.kind === 'caughtUp') caughtUp.resolve();
    }
    return all;
  })();
  return { items, caughtUp: caughtUp.promise };
}

/** A position of the same form beyond the end of every record in the tests. */
const beyond = (position: Position): Position => position.replace(/^0/, '1') as Position;

const eventsIn = (items: readonly SubscriptionItem[]): RecordedEvent[] =>
  items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));

/** Every guarantee of the `EventStore` port, for any adapter; `readingOnly` for one that is another's reading half. */
export function storeContract(
  name: string,
  createHarness: () => Promise<StoreHarness>,
  { readingOnly = false } = {},
): void {
  const describeWriting = readingOnly ? () => undefined : describe;
  describe(`EventStore contract: ${name}`, () => {
    let harness: StoreHarness;
    let store: EventStore;

    beforeEach(async () => {
      harness = await createHarness();
      store = await harness.open();
    });

    afterEach(async () => {
      await store.close();
      await harness.dispose();
    });

    async function reopen(): Promise<void> {
      await store.close();
      store = await harness.open();
    }

    const stream = async (of: string): Promise<RecordedEvent[]> => collect(store.readStream(of));
    const all = async (): Promise<RecordedEvent[]> => collect(store.readAll());

    describe('append and read', () => {
      it('gives back what was appended, in order, with revision, position and hash', async () => {
        const [first, second, third] = newEvents(3) as [NewEvent, NewEvent, NewEvent];
        const one = await store.append('ask-1', NO_STREAM, [first, second]);
        const two = await store.append('ask-1', one.revision, [third]);
        expect(one).toMatchObject({ revision: 1n });
        expect(two).toMatchObject({ revision: 2n });

        const events = await stream('ask-1');
        expect(events.map((event) => event.revision)).toEqual([0n, 1n, 2n]);
        expect(events[1]!.position).toBe(one.position);
        expect(events[2]!.position).toBe(two.position);
        for (const [index, event] of [first, second, third].entries()) {
          const { hash, ...metadata } = events[index]!.metadata;
          expect({ ...events[index], metadata }).toEqual({
            ...event,
            stream: 'ask-1',
            revision: BigInt(index),
            position: events[index]!.position,
          });
          expect(hash).toMatch(/^[0-9a-f]{64}$/);
        }
      });

      it('reads nothing from a stream that does not exist, and from an empty record', async () => {
        expect(await stream('ask-none')).toEqual([]);
        expect(await collect(store.readStream('ask-none', { direction: 'backwards' }))).toEqual([]);
        expect(await collect(store.readAll({ types: ['Noted'] }))).toEqual([]);
      });

      it('keeps everything over a restart', async () => {
        await store.append('ask-1', NO_STREAM, newEvents(3));
        await store.append('ask-2', NO_STREAM, newEvents(2));
        const before = await all();
        await reopen();
        expect(await all()).toEqual(before);
        const { revision } = await store.append('ask-1', 2n, newEvents(1));
        expect(revision).toBe(3n);
      });

      it('reads a part of a stream, forwards and backwards', async () => {
        await store.append('ask-1', NO_STREAM, newEvents(10));
        const read = async (options: Parameters<EventStore['readStream']>[1]): Promise<number[]> =>
          (await collect(store.readStream('ask-1', options))).map((event) => Number(event.revision));
        expect(await read({ from: 7n })).toEqual([7, 8, 9]);
        expect(await read({ from: 2n, limit: 3 })).toEqual([2, 3, 4]);
        expect(await read({ from: 10n })).toEqual([]);
        expect(await read({ limit: 0 })).toEqual([]);
        expect(await read({ direction: 'backwards', limit: 2 })).toEqual([9, 8]);
        expect(await read({ direction: 'backwards', from: 2n })).toEqual([2, 1, 0]);
        expect(await read({ direction: 'backwards', from: 99n, limit: 1 })).toEqual([9]);
      });

      it('reads streams and $all longer than any page', async () => {
        for (let at = 0; at < 3000; at += 500) {
          await store.append('ask-1', BigInt(at) - 1n, newEvents(500));
        }
        const forwards = await stream('ask-1');
        expect(forwards.map((event) => Number(event.revision))).toEqual([...Array(3000).keys()]);
        expect(await all()).toEqual(forwards);
        expect(await collect(store.readStream('ask-1', { direction: 'backwards' }))).toEqual(
          forwards.toReversed(),
        );
        expect(await collect(store.readAll({ direction: 'backwards' }))).toEqual(forwards.toReversed());
      });

      it('leaves a read early without harm', async () => {
        await store.append('ask-1', NO_STREAM, newEvents(100));
        for (let round = 0; round < 20; round++) {
          for await (const event of store.readAll()) {
            if (event.revision === 3n) break;
          }
        }
        expect(await stream('ask-1')).toHaveLength(100);
      });
    });

    describeWriting('expected revision', () => {
      it('refuses every revision but the last one', async () => {
        await store.append('ask-1', NO_STREAM, newEvents(3));
        for (const wrong of [NO_STREAM, 0n, 1n, 3n, 99n]) {
          await expect(store.append('ask-1', wrong, newEvents(1))).rejects.toMatchObject(CONFLICT);
        }
        await expect(store.append('ask-new', 0n, newEvents(1))).rejects.toMatchObject(CONFLICT);
        expect(await stream('ask-1')).toHaveLength(3);
        expect(await stream('ask-new')).toEqual([]);
      });

      it('writes all of an append or none', async () => {
        const [known, other] = newEvents(2) as [NewEvent, NewEvent];
        await store.append('ask-1', NO_STREAM, [known]);
        await expect(store.append('ask-1', NO_STREAM, [other, known])).rejects.toMatchObject(CONFLICT);
        expect(ids(await all())).toEqual([known.id]);
      });

      it('lets exactly one of many concurrent appends win each revision', async () => {
        const random = fc.array(
          fc.record({
            stream: fc.constantFrom('ask-1', 'ask-2', 'ask-3'),
            expected: fc.integer({ min: -1, max: 3 }),
            size: fc.integer({ min: 1, max: 3 }),
          }),
          { minLength: 1, maxLength: 40 },
        );
        let round = 0;
        await fc.assert(
          fc.asyncProperty(random, async (appends) => {
            round++;
            const of = (name: string): string => `${name}-${round}`;
            const outcomes = await Promise.all(
              appends.map(async (append) => {
                const events = newEvents(append.size);
                const won = await wins(store.append(of(append.stream), BigInt(append.expected), events));
                return { ...append, events, won };
              }),
            );
            for (const name of ['ask-1', 'ask-2', 'ask-3']) {
              const won = outcomes.filter((outcome) => outcome.won && outcome.stream === name);
              won.sort((a, b) => a.expected - b.expected);
              const recorded = await stream(of(name));
              expect(ids(recorded)).toEqual(won.flatMap((outcome) => ids(outcome.events)));
              let revision = -1;
              for (const outcome of won) {
                expect(outcome.expected).toBe(revision);
                revision += outcome.size;
              }
              expect(await verifyChain(of(name), store.readStream(of(name)))).toMatchObject({ faults: [] });
            }
          }),
          { numRuns: 25 },
        );
      });

      it('lets a conflict disturb no other append of the same moment', async () => {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 60 }, (_, n) =>
            store.append(`ask-${n}`, n % 3 === 0 ? 7n : NO_STREAM, newEvents(2)),
          ),
        );
        expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(40);
        expect(await all()).toHaveLength(80);
      });

      it('takes 50 writers of one stream, each with its retries, without a gap', async () => {
        const writers = Array.from({ length: 50 }, async () => {
          const event = newEvent();
          for (;;) {
            const last = await collect(store.readStream('comments', { direction: 'backwards', limit: 1 }));
            const revision = last[0]?.revision ?? NO_STREAM;
            if (await wins(store.append('comments', revision, [event]))) return revision + 1n;
          }
        });
        const revisions = (await Promise.all(writers)).map(Number).sort((a, b) => a - b);
        expect(revisions).toEqual([...Array(50).keys()]);
      });
    });

    describeWriting('idempotency', () => {
      it('recognises a repeated append, at once, later, and after a restart', async () => {
        const first = newEvents(2);
        const second = newEvents(2);
        const [one, same] = await Promise.all([
          store.append('ask-1', NO_STREAM, first),
          store.append('ask-1', NO_STREAM, first),
        ]);
        expect(same).toEqual(one);
        const two = await store.append('ask-1', 1n, second);
        expect(await store.append('ask-1', NO_STREAM, first)).toEqual(one);
        await reopen();
        expect(await store.append('ask-1', NO_STREAM, first)).toEqual(one);
        expect(await store.append('ask-1', 1n, second)).toEqual(two);
        const events = await stream('ask-1');
        expect(ids(events)).toEqual(ids([...first, ...second]));
        expect([one.position, two.position]).toEqual([events[1]!.position, events[3]!.position]);
      });

      it('refuses events of the same ids that are not the same, also where their stream has ended with them', async () => {
        const [a, b] = newEvents(2) as [NewEvent, NewEvent];
        await store.append('ask-1', NO_STREAM, [a]);
        await store.append('ask-1', 0n, [b]);
        const later = { ...b, metadata: { ...b.metadata, at: '2022-03-01T08:00:01Z' } };
        for (const other of [later, { ...b, data: { n: 7 } }, { ...b, type: 'Other' }]) {
          await expect(store.append('ask-1', 0n, [other])).rejects.toMatchObject(CONFLICT);
          await expect(store.append('ask-1', NO_STREAM, [a, other])).rejects.toMatchObject(CONFLICT);
        }
        expect(await store.append('ask-1', NO_STREAM, [a, b])).toMatchObject({ revision: 1n });
        await store.append('ask-1', 1n, newEvents(1));
        expect(await verifyRecord(store)).toMatchObject({ events: 3, findings: [] });
      });

      it('refuses a partial overlap, another order, and another place', async () => {
        const [a, b, c, d] = newEvents(4) as [NewEvent, NewEvent, NewEvent, NewEvent];
        await store.append('ask-1', NO_STREAM, [a, b, c]);
        for (const [expected, events] of [
          [NO_STREAM, [a, b, d]],
          [NO_STREAM, [a, c]],
          [NO_STREAM, [b, a, c]],
          [NO_STREAM, [a, b, c, d]],
          [0n, [a, b]],
          [1n, [b]],
          [1n, [c, d]],
        ] as [bigint, NewEvent[]][]) {
          await expect(store.append('ask-1', expected, events)).rejects.toMatchObject(CONFLICT);
        }
        expect(await store.append('ask-1', 0n, [b, c])).toMatchObject({ revision: 2n });
        expect(ids(await all())).toEqual([a.id, b.id, c.id]);
      });
    });

    describe('$all', () => {
      beforeEach(async () => {
        for (let n = 0; n < 20; n++) {
          await store.append(`ask-${n}`, NO_STREAM, [
            newEvent({ n }, 'QuestionAsked'),
            newEvent({ n }, 'AnswerGiven'),
          ]);
          await store.append('comments', BigInt(n) - 1n, [newEvent({ n }, 'CommentRecorded')]);
          if (n % 5 === 0) await store.append(`asking-${n}`, NO_STREAM, [newEvent({ n }, 'QuestionAsked')]);
        }
      });

      it('holds every event once, in one order that positions keep as text', async () => {
        const events = await all();
        expect(events).toHaveLength(64);
        expect(new Set(ids(events)).size).toBe(64);
        const positions = events.map((event) => event.position);
        expect(positions.toSorted()).toEqual(positions);
        expect(new Set(positions).size).toBe(64);
        const comments = events.filter((event) => event.stream === 'comments');
        expect(comments.map((event) => Number(event.revision))).toEqual([...Array(20).keys()]);
      });

      it('reads after and before a position, exclusive', async () => {
        const events = await all();
        const middle = events[30]!.position;
        expect(await collect(store.readAll({ after: middle }))).toEqual(events.slice(31));
        expect(await collect(store.readAll({ after: middle, limit: 3 }))).toEqual(events.slice(31, 34));
        expect(await collect(store.readAll({ after: middle, direction: 'backwards' }))).toEqual(
          events.slice(0, 30).toReversed(),
        );
        expect(await collect(store.readAll({ direction: 'backwards', limit: 2 }))).toEqual(
          events.slice(-2).toReversed(),
        );
        expect(await collect(store.readAll({ after: events.at(-1)!.position }))).toEqual([]);
      });

      it('gives out some types only, in both directions', async () => {
        const events = await all();
        const choices = [
          ['QuestionAsked'],
          ['AnswerGiven', 'CommentRecorded'],
          ['QuestionAsked', 'CommentRecorded'],
          ['Question'],
          [],
          undefined,
        ];
        for (const types of choices) {
          const wanted = events.filter((event) => types?.includes(event.type) ?? true);
          expect(ids(await collect(store.readAll({ types })))).toEqual(ids(wanted));
          expect(ids(await collect(store.readAll({ types, direction: 'backwards' })))).toEqual(
            ids(wanted.toReversed()),
          );
          const after = events[40]!.position;
          expect(ids(await collect(store.readAll({ types, after, limit: 4 })))).toEqual(
            ids(wanted.filter((event) => event.position > after).slice(0, 4)),
          );
        }
      });

      it('reads what was there when it began, however busy the writers are', async () => {
        let read = 0;
        for await (const _ of store.readAll()) {
          read++;
          await store.append(`late-${read}`, NO_STREAM, newEvents(1));
        }
        expect(read).toBe(64);
      });
    });

    describeWriting('hash chain', () => {
      it('links every event of a stream to the one before, and each stream to its own start', async () => {
        await store.append('ask-1', NO_STREAM, newEvents(2));
        await store.append('ask-2', NO_STREAM, newEvents(1));
        await reopen();
        await store.append('ask-1', 1n, newEvents(2));
        for (const name of ['ask-1', 'ask-2']) {
          let previous = GENESIS_HASH;
          for (const event of await stream(name)) {
            expect(event.metadata.hash).toBe(recordedHash(previous, event));
            previous = event.metadata.hash;
          }
        }
        expect(await verifyRecord(store)).toMatchObject({ streams: 2, events: 5, findings: [] });
      });

      it('holds for any data', async () => {
        let round = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.jsonValue({ depthSize: 'small' }), { minLength: 1 }),
            async (values) => {
              const name = `ask-any-${round++}`;
              await store.append(
                name,
                NO_STREAM,
                values.map((value) => newEvent(value as Json)),
              );
              expect(await verifyChain(name, store.readStream(name))).toMatchObject({
                events: values.length,
                faults: [],
              });
            },
          ),
          { numRuns: 30 },
        );
      });
    });

    describeWriting('limits and hostile input', () => {
      it('takes almost 1 MiB in one append and refuses more', async () => {
        await store.append('ask-1', NO_STREAM, [big(MAX_APPEND_BYTES - 1000)]);
        const tooLarge = { code: 'APPEND_TOO_LARGE' };
        await expect(store.append('ask-1', 0n, [big(MAX_APPEND_BYTES)])).rejects.toMatchObject(tooLarge);
        const half = MAX_APPEND_BYTES / 2;
        await expect(store.append('ask-1', 0n, [big(half), big(half)])).rejects.toMatchObject(tooLarge);
        const umlauts = newEvent({ text: 'ä'.repeat(half) });
        await expect(store.append('ask-1', 0n, [umlauts])).rejects.toMatchObject(tooLarge);
        const [event, ...others] = await stream('ask-1');
        expect((event!.data as { text: string }).text).toHaveLength(MAX_APPEND_BYTES - 1000);
        expect(others).toEqual([]);
      });

      it('reads many large events in order', async () => {
        for (let n = 0; n < 12; n++) await store.append('ask-1', BigInt(n) - 1n, [big(900_000)]);
        const revisions = (await all()).map((event) => Number(event.revision));
        expect(revisions).toEqual([...Array(12).keys()]);
        const filtered = await collect(store.readAll({ types: ['Noted'] }));
        expect(filtered.map((event) => Number(event.revision))).toEqual(revisions);
        const backwards = await collect(store.readStream('ask-1', { direction: 'backwards' }));
        expect(backwards.map((event) => Number(event.revision))).toEqual(revisions.toReversed());
      });

      it('stores control characters, HTML and any Unicode as they are, lone surrogates replaced', async () => {
        const texts = [
          '\u0000',
          'a\u0000b',
          '<script>alert(1)</script>',
          "'; DROP TABLE events; --",
          '😀ä\u202e',
        ];
        const loose = ['\ud800', 'a\udfffb'];
        const data = Object.fromEntries([...texts, ...loose].map((text) => [`key ${text}`, text]));
        await store.append('ask-1', NO_STREAM, [
          newEvent(data),
          newEvent(JSON.parse('{"__proto__":1}') as Json),
        ]);
        const [first, second] = await stream('ask-1');
        const kept = first!.data as Record<string, string>;
        for (const text of texts) expect(kept[`key ${text}`]).toBe(text);
        for (const text of loose) expect(kept[`key ${text.toWellFormed()}`]).toBe(text.toWellFormed());
        expect(Object.entries(second!.data as object)).toEqual([['__proto__', 1]]);
        expect(await verifyChain('ask-1', store.readStream('ask-1'))).toMatchObject({ faults: [] });
      });

      it('refuses malformed names and ids, and an append of nothing', async () => {
        const event = newEvent();
        for (const bad of ['', ' ', 'a b', 'ask-\u0000', 'ask-\ud800', '$all', 'x'.repeat(201), '-ask']) {
          await expect(store.append(bad, NO_STREAM, [event])).rejects.toBeInstanceOf(TypeError);
        }
        const broken = [[], [{ ...event, id: 'x' }], [{ ...event, type: '' }], [event, event]];
        for (const events of broken) {
          await expect(store.append('ask-1', NO_STREAM, events)).rejects.toBeInstanceOf(TypeError);
        }
        expect(await all()).toEqual([]);
      });

      it('keeps the bytes of the moment of the append', async () => {
        const data = { text: 'before' };
        const appending = store.append('ask-1', NO_STREAM, [newEvent(data)]);
        data.text = 'after';
        await appending;
        expect((await stream('ask-1'))[0]!.data).toEqual({ text: 'before' });
      });
    });

    describe('places', () => {
      it('says where the record ends', async () => {
        await store.append('ask-1', NO_STREAM, newEvents(2));
        const { position } = await store.append('ask-2', NO_STREAM, newEvents(2));
        expect(hasPlace(await store.end(), position)).toBe(true);
        expect(hasPlace(await store.end(), beyond(position))).toBe(false);
        expect(hasPlace(await store.end(), `${position}0`)).toBe(false);
      });

      it('refuses a place that no store of its kind gives out', async () => {
        const after = 'not-a-place' as Position;
        const unknown = { code: 'POSITION_UNKNOWN' };
        await expect(collect(store.readAll({ after }))).rejects.toMatchObject(unknown);
        expect(() => store.subscribe({ after })).toThrow(expect.objectContaining(unknown));
      });
    });

    describe('subscription', () => {
      it('delivers history, says that it has caught up, then delivers live', async () => {
        await store.append('ask-1', NO_STREAM, newEvents(3));
        const subscription = store.subscribe();
        const listener = listen(subscription);
        const history = await listener.caughtUp();
        expect(eventsIn(history)).toEqual(await stream('ask-1'));
        const appended = newEvents(2);
        await store.append('ask-2', NO_STREAM, appended);
        expect(ids(await listener.events(2))).toEqual(ids(appended));
        await subscription.close();
      });

      it('catches up at once in an empty record', async () => {
        const subscription = store.subscribe();
        expect(await listen(subscription).next()).toEqual({ kind: 'caughtUp' });
        await subscription.close();
      });

      it('starts after a stored position, also after a restart', async () => {
        await store.append('ask-1', NO_STREAM, newEvents(5));
        const events = await all();
        await reopen();
        const subscription = store.subscribe({ after: events[2]!.position });
        expect(eventsIn(await listen(subscription).caughtUp())).toEqual(events.slice(3));
        await subscription.close();
      });

      it('takes a place beyond the end for one of another record, and begins at the start', async () => {
        const { position } = await store.append('ask-1', NO_STREAM, newEvents(3));
        const events = await all();
        const subscription = store.subscribe({ after: beyond(position) });
        const listener = listen(subscription);
        expect(eventsIn(await listener.caughtUp())).toEqual(events);
        const appended = newEvents(2);
        await store.append('ask-2', NO_STREAM, appended);
        expect(ids(await listener.events(2))).toEqual(ids(appended));
        await subscription.close();
      });

      it('delivers what comes to one that wanted nothing of what was there', async () => {
        await store.append('noise', NO_STREAM, newEvents(3));
        const subscription = store.subscribe({ types: ['QuestionAsked'] });
        const listener = listen(subscription);
        const history = await listener.caughtUp();
        const end = await store.end();
        expect(history.every((item) => item.kind !== 'checkpoint' || hasPlace(end, item.position))).toBe(
          true,
        );
        const wanted = newEvent({}, 'QuestionAsked');
        await store.append('ask-1', NO_STREAM, [wanted]);
        expect(ids(await listener.events(1))).toEqual([wanted.id]);
        await subscription.close();
      });

      it('delivers every event once and in order while writers go on, from any start', async () => {
        let written = 0;
        const writer = async (name: string): Promise<void> => {
          for (let n = 0; n < 150; n++) {
            await store.append(name, BigInt(n) - 1n, newEvents(1));
            written++;
          }
        };
        const reader = async (): Promise<RecordedEvent[]> => {
          const subscription = store.subscribe();
          const events = await listen(subscription).events(600);
          await subscription.close();
          return events;
        };
        const writing = Promise.all(['ask-1', 'ask-2', 'ask-3', 'ask-4'].map(writer));
        const early = reader();
        await store.append('ask-mark', NO_STREAM, newEvents(1)).catch(() => {});
        const late = reader();
        await writing;
        expect(written).toBe(600);
        const events = await all();
        expect(ids(await early)).toEqual(ids(events.slice(0, 600)));
        expect(ids(await late)).toEqual(ids(events.slice(0, 600)));
      });

      // Whether it falls behind is for the store to say: what fits into the connection was delivered live.
      it('gives each event once, in order, to who takes none for a while', async () => {
        const subscription = store.subscribe();
        const listener = listen(subscription);
        await listener.caughtUp();
        const events = newEvents(3000);
        for (let at = 0; at < events.length; at += 1000) {
          await store.append('ask-1', BigInt(at) - 1n, events.slice(at, at + 1000));
        }
        expect(ids(await listener.events(events.length))).toEqual(ids(events));
        await subscription.close();
      });

      it('gives out some types, and sends checkpoints where it passed much by', async () => {
        await store.append('ask-1', NO_STREAM, [newEvent({}, 'QuestionAsked')]);
        for (let n = 0; n < 5; n++) await store.append(`noise-${n}`, NO_STREAM, newEvents(500));
        const subscription = store.subscribe({ types: ['QuestionAsked'] });
        const listener = listen(subscription);
        const history = await listener.caughtUp();
        expect(eventsIn(history)).toHaveLength(1);
        const checkpoint = history.findLast((item) => item.kind === 'checkpoint')!;
        expect(checkpoint.position > eventsIn(history)[0]!.position).toBe(true);

        const wanted = newEvent({}, 'QuestionAsked');
        await store.append('noise-live', NO_STREAM, newEvents(3));
        await store.append('ask-2', NO_STREAM, [wanted]);
        expect(ids(await listener.events(1))).toEqual([wanted.id]);
        await subscription.close();

        const resumed = store.subscribe({
          after: checkpoint.position,
          types: ['QuestionAsked'],
        });
        expect(ids(eventsIn(await listen(resumed).caughtUp()))).toEqual([wanted.id]);
        await resumed.close();
      });

      it('resumes from any checkpoint or event without a gap, whatever was passed by', async () => {
        for (let n = 0; n < 8; n++) {
          await store.append(`ask-${n}`, NO_STREAM, newEvents(1, 'QuestionAsked'));
          await store.append(`noise-${n}`, NO_STREAM, newEvents(300));
        }
        const types = ['QuestionAsked'];
        const first = store.subscribe({ types });
        const history = await listen(first).caughtUp();
        await first.close();
        const events = eventsIn(history);
        expect(events).toHaveLength(8);
        for (const item of history) {
          if (item.kind === 'caughtUp') continue;
          const after: Position = item.kind === 'event' ? item.event.position : item.position;
          const resumed = store.subscribe({ after, types });
          expect(ids(eventsIn(await listen(resumed).caughtUp()))).toEqual(
            ids(events.filter((event) => event.position > after)),
          );
          await resumed.close();
        }
      });

      it('ends when it is closed, when its loop is left, and when the store closes', async () => {
        const waiting = store.subscribe();
        const left = store.subscribe();
        const untouched = store.subscribe();
        const abandoned = store.subscribe();
        const reading = follow(waiting);
        const withStore = follow(untouched);
        for await (const item of left) if (item.kind === 'caughtUp') break;
        await Promise.all([reading.caughtUp, withStore.caughtUp]);
        await waiting.close();
        await waiting.close();
        expect(await reading.items).toEqual([{ kind: 'caughtUp' }]);
        await store.close();
        expect(await withStore.items).toEqual([{ kind: 'caughtUp' }]);
        await abandoned.close();
      });
    });

    describeWriting('availability', () => {
      it('answers a ping', async () => {
        await store.ping();
      });

      it('finishes what was accepted before it closes, and refuses everything after', async () => {
        const accepted = Array.from({ length: 50 }, (_, n) =>
          store.append(`ask-${n}`, NO_STREAM, newEvents(1)),
        );
        await Promise.all([store.close(), ...accepted]);
        await store.close();
        const unavailable = { code: 'STORE_UNAVAILABLE' };
        await expect(store.append('ask-x', NO_STREAM, newEvents(1))).rejects.toMatchObject(unavailable);
        await expect(store.ping()).rejects.toMatchObject(unavailable);
        await expect(stream('ask-1')).rejects.toMatchObject(unavailable);
        await expect(all()).rejects.toMatchObject(unavailable);
        expect(() => store.subscribe()).toThrow(expect.objectContaining(unavailable));
        store = await harness.open();
        expect(await all()).toHaveLength(50);
      });
    });
  });
}
