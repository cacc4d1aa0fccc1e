import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BelegError } from '../errors.ts';
import type { Message, MessageBus } from './bus.ts';
import { MAX_PAYLOAD_BYTES } from './message.ts';

/** Two connections to one bus, fresh for each test, and what their handlers threw. */
export interface BusFixture {
  a: MessageBus;
  b: MessageBus;
  handlerErrors: unknown[];
  /** Resolves when subscriptions made and messages sent so far have taken effect everywhere. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (message: Message): string => new TextDecoder().decode(message.data);
const soon = { timeoutMs: 5_000 };

/** Collects what arrives; `next(n)` resolves with the first n texts. */
function collect(bus: MessageBus, subject: string, queue?: string, getsAll = false) {
  const got: Message[] = [];
  const waiting: { n: number; resolve: (texts: string[]) => void }[] = [];
  const subscription = bus.subscribe(
    subject,
    (message) => {
      got.push(message);
      for (const { n, resolve } of waiting) if (got.length >= n) resolve(got.slice(0, n).map(text));
    },
    queue === undefined ? {} : { queue, getsAll },
  );
  const next = (n: number) =>
    new Promise<string[]>((resolve) => {
      if (got.length >= n) resolve(got.slice(0, n).map(text));
      else waiting.push({ n, resolve });
    });
  return { got, next, subscription };
}

/** What every adapter of the `MessageBus` port keeps to. */
export function busContract(name: string, connect: () => Promise<BusFixture>): void {
  describe(`message bus: ${name}`, () => {
    let fixture: BusFixture;
    let a: MessageBus;
    let b: MessageBus;

    beforeEach(async () => {
      fixture = await connect();
      ({ a, b } = fixture);
    });
    afterEach(() => fixture.close());

    describe('publish and subscribe', () => {
      test('delivers to every plain subscriber, in the order sent, on both connections', async () => {
        const here = collect(a, 'x.y');
        const there = collect(b, 'x.y');
        await fixture.settle();
        for (const n of ['1', '2', '3']) a.publish('x.y', bytes(n), { kind: 'count' });
        expect(await here.next(3)).toEqual(['1', '2', '3']);
        expect(await there.next(3)).toEqual(['1', '2', '3']);
        expect(there.got[0]).toMatchObject({ subject: 'x.y', headers: { kind: 'count' } });
      });

      test('delivers later than the call that sends', async () => {
        const { got, next } = collect(a, 'x');
        await fixture.settle();
        a.publish('x', bytes('1'));
        expect(got).toEqual([]);
        await next(1);
      });

      test('copies: neither the sender nor another receiver can change what one receives', async () => {
        const seen: string[] = [];
        const done = Promise.withResolvers<void>();
        const receive = (message: Message) => {
          seen.push(text(message));
          message.data.fill(0);
          if (seen.length === 2) done.resolve();
        };
        a.subscribe('x', receive);
        a.subscribe('x', receive);
        await fixture.settle();
        const data = bytes('as sent');
        a.publish('x', data);
        data.fill(0);
        await done.promise;
        expect(seen).toEqual(['as sent', 'as sent']);
      });

      test('copies a Buffer too, and hands out none', async () => {
        const { got, next } = collect(b, 'x');
        await fixture.settle();
        const data = Buffer.from('as sent');
        a.publish('x', data);
        data.fill(0);
        expect(await next(1)).toEqual(['as sent']);
        expect(Object.getPrototypeOf(got[0]!.data)).toBe(Uint8Array.prototype);
      });

      test.each([
        ['x.*', ['x.1', 'x.2']],
        ['x.>', ['x.1', 'x.2', 'x.1.y']],
        ['*.1.*', ['x.1.y']],
        ['>', ['x', 'x.1', 'x.2', 'x.1.y', 'z.1']],
        ['x', ['x']],
      ])('%s stands for %j', async (filter, expected) => {
        const { got, next } = collect(b, filter);
        await fixture.settle();
        for (const subject of ['x', 'x.1', 'x.2', 'x.1.y', 'z.1']) a.publish(subject, bytes(subject));
        await next(expected.length);
        await fixture.settle();
        expect(got.map(({ subject }) => subject)).toEqual(expected);
      });

      test('gives a queue group each message once, and every member some', async () => {
        const first = collect(a, 'job', 'workers');
        const second = collect(b, 'job', 'workers');
        const other = collect(b, 'job', 'others');
        const plain = collect(a, 'job');
        await fixture.settle();
        const sent = Array.from({ length: 100 }, (_, i) => String(i));
        for (const job of sent) a.publish('job', bytes(job));
        expect(await plain.next(100)).toEqual(sent);
        expect(await other.next(100)).toEqual(sent);
        await fixture.settle();
        expect([...first.got, ...second.got].map(text).toSorted()).toEqual(sent.toSorted());
        expect(first.got.length).toBeGreaterThan(0);
        expect(second.got.length).toBeGreaterThan(0);
      });

      test('gives each message to a member of a queue group that gets all, and to one of the others', async () => {
        const here = collect(a, 'job', 'workers', true);
        const there = collect(b, 'job', 'workers', true);
        const others = [collect(a, 'job', 'workers'), collect(b, 'job', 'workers')];
        await fixture.settle();
        const sent = Array.from({ length: 20 }, (_, i) => String(i));
        for (const job of sent) a.publish('job', bytes(job));
        expect(await here.next(20)).toEqual(sent);
        expect(await there.next(20)).toEqual(sent);
        await fixture.settle();
        expect(others.flatMap(({ got }) => got).length).toBe(20);
      });

      test('is one queue group under one name, whatever the filters of its members', async () => {
        const wide = collect(a, 'job.>', 'workers');
        const narrow = collect(b, 'job.one', 'workers');
        await fixture.settle();
        for (let i = 0; i < 20; i++) a.publish('job.one', bytes(String(i)));
        await fixture.settle();
        expect(wide.got.length + narrow.got.length).toBe(20);
      });

      test('delivers nothing after unsubscribe', async () => {
        const { got, subscription } = collect(a, 'x');
        const plain = collect(a, 'x');
        await fixture.settle();
        await subscription.unsubscribe();
        a.publish('x', bytes('1'));
        await plain.next(1);
        expect(got).toEqual([]);
      });

      test('delivers to whoever is subscribed when something is sent, not to whoever was before', async () => {
        const early = collect(a, 'x');
        await fixture.settle();
        a.publish('x', bytes('1'));
        await early.next(1);
        await early.subscription.unsubscribe();
        const late = collect(a, 'x');
        await fixture.settle();
        a.publish('x', bytes('2'));
        expect(await late.next(1)).toEqual(['2']);
        expect(early.got.map(text)).toEqual(['1']);
      });

      test.each(['', 'a..b', '.a', 'a.', 'a b', 'a.*', 'a.>', 'a\u0000', 'a\n'])(
        'refuses to publish to %j',
        (subject) => {
          expect(() => a.publish(subject, bytes(''))).toThrow(TypeError);
        },
      );

      test.each(['', 'a..b', 'a.>.b', 'a\tb'])('refuses to subscribe to %j', (subject) => {
        expect(() => a.subscribe(subject, () => {})).toThrow(TypeError);
      });

      test.each(['', 'a.b', 'a b', '*', '>'])('refuses the queue group %j', (queue) => {
        expect(() => a.subscribe('x', () => {}, { queue })).toThrow(TypeError);
      });

      test('shows a subscriber to everything no replies', async () => {
        const { got, next } = collect(b, '>');
        b.subscribe('q', () => ({ data: bytes('reply') }));
        await fixture.settle();
        await a.request('q', bytes('request'), soon);
        a.publish('x', bytes('last'));
        await next(2);
        expect(got.map(text)).toEqual(['request', 'last']);
      });

      test('trims the values of headers, and takes any text', async () => {
        const { got, next } = collect(b, 'x');
        await fixture.settle();
        a.publish('x', bytes(''), { padded: '  a: b\t', text: 'größer 𝄞', empty: '' });
        await next(1);
        expect(got[0]!.headers).toEqual({ padded: 'a: b', text: 'größer 𝄞', empty: '' });
      });

      test('refuses a message over the cap, and headers count', () => {
        const full = new Uint8Array(MAX_PAYLOAD_BYTES);
        expect(() => a.publish('x', full)).not.toThrow();
        expect(() => a.publish('x', full, { a: 'b' })).toThrow(
          expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
        );
        expect(() => a.publish('x', new Uint8Array(MAX_PAYLOAD_BYTES + 1))).toThrow(BelegError);
      });

      test('refuses headers that could not travel', () => {
        expect(() => a.publish('x', bytes(''), { 'a b': 'c' })).toThrow(TypeError);
        expect(() => a.publish('x', bytes(''), { a: 'b\r\nc: d' })).toThrow(TypeError);
      });
    });

    describe('request and reply', () => {
      test('carries data and headers both ways', async () => {
        b.subscribe('echo', (message) => ({
          data: bytes(`${text(message)}!`),
          headers: { seen: message.headers['from'] ?? '' },
        }));
        await fixture.settle();
        const reply = await a.request('echo', bytes('hello'), { ...soon, headers: { from: 'a' } });
        expect(text(reply)).toBe('hello!');
        expect(reply.headers).toEqual({ seen: 'a' });
      });

      test('takes the first of several replies', async () => {
        const held = Promise.withResolvers<void>();
        b.subscribe('q', async () => {
          await held.promise;
          return { data: bytes('late') };
        });
        a.subscribe('q', () => ({ data: bytes('first') }));
        await fixture.settle();
        expect(text(await a.request('q', bytes(''), soon))).toBe('first');
        held.resolve();
      });

      test('NO_RESPONDERS at once where nobody listens', async () => {
        await expect(a.request('nobody', bytes(''), { timeoutMs: 60_000 })).rejects.toMatchObject({
          code: 'NO_RESPONDERS',
        });
      });

      test('NO_RESPONDERS also to a caller with a wide subscription of its own', async () => {
        collect(a, '*.*.*.*');
        await fixture.settle();
        await expect(a.request('nobody', bytes(''), soon)).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
      });

      test('to many: all replies that come in time, each once', async () => {
        collect(a, '>');
        for (const [bus, reply] of [
          [a, 'one'],
          [b, 'two'],
          [b, 'three'],
        ] as const) {
          bus.subscribe('q', (message) => ({ data: bytes(`${text(message)} ${reply}`) }));
        }
        b.subscribe('q', () => undefined);
        await fixture.settle();
        const replies = await a.requestMany('q', bytes('to'), { timeoutMs: 300 });
        expect(replies.map(text).sort()).toEqual(['to one', 'to three', 'to two']);
      });

      test('to many: a stall of this process is not taken for silence', async () => {
        a.subscribe('q', () => ({ data: bytes('own') }));
        b.subscribe('q', () => ({ data: bytes('other') }));
        await fixture.settle();
        const asking = a.requestMany('q', bytes(''), { timeoutMs: 300 });
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
        expect((await asking).map(text).sort()).toEqual(['other', 'own']);
      });

      test('to many: NO_RESPONDERS at once where nobody listens', async () => {
        await expect(a.requestMany('nobody', bytes(''), { timeoutMs: 60_000 })).rejects.toMatchObject({
          code: 'NO_RESPONDERS',
        });
      });

      test('to many: rejects with the reason of its signal', async () => {
        b.subscribe('q', () => undefined);
        await fixture.settle();
        const reason = new Error('enough');
        const leaving = new AbortController();
        const asking = a.requestMany('q', bytes(''), { timeoutMs: 60_000, signal: leaving.signal });
        leaving.abort(reason);
        await expect(asking).rejects.toBe(reason);
      });

      test('NO_RESPONDERS once the last one has left', async () => {
        const subscription = b.subscribe('q', () => ({ data: bytes('') }));
        await fixture.settle();
        await subscription.unsubscribe();
        await fixture.settle();
        await expect(a.request('q', bytes(''), soon)).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
      });

      test('DEADLINE_EXCEEDED when the time is over', async () => {
        b.subscribe('q', () => new Promise<void>(() => {}));
        await fixture.settle();
        await expect(a.request('q', bytes(''), { timeoutMs: 5 })).rejects.toMatchObject({
          code: 'DEADLINE_EXCEEDED',
        });
      });

      test('a receiver that returns nothing is not an answer', async () => {
        b.subscribe('q', () => {});
        await fixture.settle();
        await expect(a.request('q', bytes(''), { timeoutMs: 20 })).rejects.toMatchObject({
          code: 'DEADLINE_EXCEEDED',
        });
      });

      test("rejects with the signal's reason, before and after sending", async () => {
        const received = Promise.withResolvers<void>();
        b.subscribe('q', async () => {
          received.resolve();
          await new Promise(() => {});
        });
        await fixture.settle();
        const reason = new Error('gone');
        const early = a.request('q', bytes(''), { ...soon, signal: AbortSignal.abort(reason) });
        await expect(early).rejects.toBe(reason);

        const controller = new AbortController();
        const late = a.request('q', bytes(''), { ...soon, signal: controller.signal });
        await received.promise;
        controller.abort(reason);
        await expect(late).rejects.toBe(reason);
      });

      test('refuses a request over the cap', async () => {
        await expect(a.request('q', new Uint8Array(MAX_PAYLOAD_BYTES + 1), soon)).rejects.toMatchObject({
          code: 'PAYLOAD_TOO_LARGE',
        });
      });

      test('an error in a handler is reported, the caller gets INTERNAL, and the bus goes on', async () => {
        const fault = new Error('secret');
        b.subscribe('sync', () => {
          throw fault;
        });
        b.subscribe('async', () => Promise.reject(fault));
        b.subscribe('fine', () => ({ data: bytes('ok') }));
        await fixture.settle();
        for (const subject of ['sync', 'async']) {
          const reply = await a.request(subject, bytes(''), soon);
          expect(reply.headers).toEqual({ error: 'INTERNAL' });
          expect(text(reply)).toBe('{"code":"INTERNAL"}');
        }
        a.publish('sync', bytes(''));
        expect(text(await a.request('fine', bytes(''), soon))).toBe('ok');
        await fixture.settle();
        expect(fixture.handlerErrors).toEqual([fault, fault, fault]);
      });

      test('a reply over the cap is an error reply', async () => {
        b.subscribe('q', () => ({ data: new Uint8Array(MAX_PAYLOAD_BYTES + 1) }));
        await fixture.settle();
        const reply = await a.request('q', bytes(''), soon);
        expect(reply.headers).toEqual({ error: 'PAYLOAD_TOO_LARGE' });
        expect(fixture.handlerErrors).toHaveLength(1);
      });

      test('answers many at once, each caller its own', async () => {
        b.subscribe('q', async (message) => ({ data: message.data }), { queue: 'q' });
        await fixture.settle();
        const asked = Array.from({ length: 500 }, (_, i) => String(i));
        const replies = await Promise.all(asked.map((n) => a.request('q', bytes(n), soon)));
        expect(replies.map(text)).toEqual(asked);
      });
    });

    describe('drain', () => {
      test('lets handlers in flight finish and their replies leave', async () => {
        const received = Promise.withResolvers<void>();
        const held = Promise.withResolvers<void>();
        b.subscribe('q', async () => {
          received.resolve();
          await held.promise;
          return { data: bytes('done') };
        });
        await fixture.settle();
        const request = a.request('q', bytes(''), soon);
        await received.promise;
        expect(b.status()).toEqual({ state: 'connected', inFlight: 1 });
        let over = false;
        const drained = b.drain().then(() => (over = true));
        // Long enough for a drain that does not wait for handlers.
        for (let i = 0; i < 5; i++) await fixture.settle();
        expect(over).toBe(false);
        held.resolve();
        expect(text(await request)).toBe('done');
        await drained;
        expect(b.status()).toEqual({ state: 'closed', inFlight: 0 });
      });

      test('takes no more messages, and the other connection goes on', async () => {
        const { got } = collect(b, 'x');
        const other = collect(a, 'x');
        await fixture.settle();
        await b.drain();
        a.publish('x', bytes('1'));
        await other.next(1);
        expect(got).toEqual([]);
        await expect(a.request('nobody', bytes(''), soon)).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
      });

      test('what was published before still leaves', async () => {
        const { next } = collect(b, 'x');
        await fixture.settle();
        a.publish('x', bytes('last words'));
        await a.drain();
        expect(await next(1)).toEqual(['last words']);
      });

      test('from then on every use is SERVICE_UNAVAILABLE, and draining again is the same', async () => {
        const drained = a.drain();
        await expect(a.request('x', bytes(''), soon)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
        await drained;
        await a.drain();
        await expect(a.request('x', bytes(''), soon)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
        expect(() => a.publish('x', bytes(''))).toThrow(
          expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
        );
        expect(() => a.subscribe('x', () => {})).toThrow(BelegError);
      });

      test('requests of its own that still wait are SERVICE_UNAVAILABLE', async () => {
        b.subscribe('q', () => new Promise<void>(() => {}));
        await fixture.settle();
        const request = a.request('q', bytes(''), soon);
        await Promise.all([
          expect(request).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
          a.drain(),
        ]);
      });
    });
  });
}
