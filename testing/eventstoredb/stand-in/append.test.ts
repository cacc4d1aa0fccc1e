import { randomUUID } from 'node:crypto';
import {
  ANY,
  binaryEvent,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  WrongExpectedVersionError,
  type AppendExpectedRevision,
} from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { binaryTestEvents, collect, idsOf, newStream, testEvents, useStandIn } from './client.suite.ts';
import { versionToBe } from './version.ts';

const bench = useStandIn();

const ids = async (stream: string): Promise<string[]> =>
  idsOf(await collect(bench.client.readStream(stream)));

const bytesEvent = (bytes: number) => binaryEvent({ type: 'b', data: Buffer.alloc(bytes, 1) });

/** With credentials in a call the client uses `Append` instead of `BatchAppend`. */
const METHODS = [
  ['batchAppend', {}],
  ['append', { credentials: { username: 'admin', password: 'changeit' } }],
] as const;

describe.each(METHODS)('%s', (_, options) => {
  const append = (
    stream: string,
    events: Parameters<typeof bench.client.appendToStream>[1],
    expectedRevision: AppendExpectedRevision = ANY,
  ) => bench.client.appendToStream(stream, events, { expectedRevision, ...options });

  it('gives back what was written: JSON, bytes, metadata of both sorts, none', async () => {
    const stream = newStream();
    const metadata = Uint8Array.from([0, 255, 7]);
    await append(stream, [
      jsonEvent({ type: 'json', data: { text: 'CC ‐ 1830', n: [1] }, metadata: { cause: 'x' } }),
      binaryEvent({ type: 'bytes', data: Uint8Array.from([0, 128, 255]), metadata }),
      jsonEvent({ type: 'bare', data: 'a string' }),
    ]);
    const [json, bytes, bare] = (await collect(bench.client.readStream(stream))).map(({ event }) => event!);
    expect(json).toMatchObject({
      streamId: stream,
      isJson: true,
      data: { text: 'CC ‐ 1830', n: [1] },
      metadata: { cause: 'x' },
    });
    expect(bytes).toMatchObject({ isJson: false, data: Uint8Array.from([0, 128, 255]), metadata });
    expect(bare).toMatchObject({ data: 'a string', metadata: undefined, revision: 2n });
    expect(Math.abs(json!.created.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('tells the next expected revision, and the position of the last event', async () => {
    const stream = newStream();
    const result = await append(stream, testEvents(3));
    expect(result).toMatchObject({ success: true, nextExpectedRevision: 2n });
    const events = await collect(bench.client.readStream(stream));
    expect(events.at(-1)!.event!.position).toEqual(result.position);
    const next = await append(stream, testEvents(1));
    expect(next.position!.commit).toBeGreaterThan(result.position!.commit);
  });

  it.each<[AppendExpectedRevision, number]>([
    [ANY, 0],
    [ANY, 2],
    [NO_STREAM, 0],
    [STREAM_EXISTS, 2],
    [1n, 2],
  ])('expected %s over %i events: written', async (expected, standing) => {
    const stream = newStream();
    await append(stream, testEvents(standing));
    const result = await append(stream, testEvents(2), expected);
    expect(result.nextExpectedRevision).toBe(BigInt(standing) + 1n);
    expect(await ids(stream)).toHaveLength(standing + 2);
  });

  it.each<[AppendExpectedRevision, number]>([
    [NO_STREAM, 2],
    [STREAM_EXISTS, 0],
    [0n, 2],
    [5n, 2],
    [1n, 0],
  ])('expected %s over %i events: refused', async (expected, standing) => {
    const stream = newStream();
    await append(stream, testEvents(standing));
    const error = await append(stream, testEvents(2), expected).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(WrongExpectedVersionError);
    expect(error).toMatchObject({
      streamName: stream,
      expectedVersion: expected,
      actualVersion: standing === 0 ? 'no_stream' : BigInt(standing) - 1n,
    });
    expect(await ids(stream).catch(() => [])).toHaveLength(standing);
  });

  it.each<AppendExpectedRevision>([NO_STREAM, ANY])(
    'the same ids again with %s: the same answer, nothing written',
    async (expected) => {
      const stream = newStream();
      const events = testEvents(4);
      const first = await append(stream, events, expected);
      await append(stream, testEvents(1));
      expect(await append(stream, events, expected)).toEqual(first);
      expect(await append(stream, events.slice(0, 2), expected)).toMatchObject({ nextExpectedRevision: 1n });
      expect(await ids(stream)).toHaveLength(5);
    },
  );

  it('the same ids again where readers are no longer given them: the same revision, and no position', async () => {
    const stream = newStream();
    const events = testEvents(2);
    await append(stream, events, NO_STREAM);
    await bench.client.setStreamMetadata(stream, { truncateBefore: 2 });
    const again = await append(stream, events, NO_STREAM);
    expect([again.nextExpectedRevision, again.position]).toEqual([1n, undefined]);
  });

  it('the same ids again in the middle of a stream', async () => {
    const stream = newStream();
    await append(stream, testEvents(2));
    const events = testEvents(2);
    const first = await append(stream, events, 1n);
    await append(stream, testEvents(2), 3n);
    expect(await append(stream, events, 1n)).toEqual(first);
    await expect(append(stream, events, 0n)).rejects.toThrow(WrongExpectedVersionError);
  });

  it.each<AppendExpectedRevision>([NO_STREAM, ANY])(
    'a partial overlap with %s is refused',
    async (expected) => {
      const stream = newStream();
      const events = testEvents(2);
      await append(stream, events, expected);
      await expect(append(stream, [...events, ...testEvents(1)], expected)).rejects.toThrow(
        WrongExpectedVersionError,
      );
      expect(await ids(stream)).toEqual(events.map((event) => event.id));
    },
  );

  it('an id may stand in two streams, and twice in one where the revision says so', async () => {
    const [one, other] = [newStream(), newStream()];
    const [event] = testEvents(1);
    await append(one, event!, NO_STREAM);
    await append(other, event!, ANY);
    await append(one, event!, 0n);
    expect(await ids(one)).toEqual([event!.id, event!.id]);
    expect(await ids(other)).toEqual([event!.id]);
  });

  it('no events: success, nothing written', async () => {
    const stream = newStream();
    expect((await append(stream, [])).success).toBe(true);
    await append(stream, testEvents(2));
    expect(await append(stream, [], 1n)).toMatchObject({ nextExpectedRevision: 1n });
    await expect(append(stream, [], 0n)).rejects.toThrow(WrongExpectedVersionError);
    expect(await ids(stream)).toHaveLength(2);
  });

  // 23.10 counts only the data.
  it.skipIf(versionToBe() === '23.10')('1 MiB fits, more does not', async () => {
    const stream = newStream();
    await append(stream, bytesEvent(1024 * 1024 - 2));
    const error = await append(stream, [bytesEvent(512 * 1024), bytesEvent(512 * 1024)]).catch(
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(MaxAppendSizeExceededError);
    expect(error).toMatchObject({ maxAppendSize: 1024 * 1024 });
    const [standing] = await collect(bench.client.readStream(stream));
    expect((standing!.event!.data as unknown as Uint8Array).length).toBe(1024 * 1024 - 2);
    expect(await ids(stream)).toHaveLength(1);
  });
});

describe('batchAppend', () => {
  it('answers many appends in flight, each its own; a refused one disturbs no other', async () => {
    const streams = Array.from({ length: 300 }, () => newStream('flood'));
    const outcomes = await Promise.allSettled(
      streams.map((stream, index) =>
        bench.client.appendToStream(stream, binaryTestEvents((index % 7) + 1), {
          expectedRevision: index % 10 === 9 ? STREAM_EXISTS : NO_STREAM,
        }),
      ),
    );
    const told = outcomes.map((outcome) =>
      outcome.status === 'fulfilled'
        ? outcome.value.nextExpectedRevision
        : (outcome.reason as WrongExpectedVersionError).streamName,
    );
    expect(told).toEqual(streams.map((stream, index) => (index % 10 === 9 ? stream : BigInt(index % 7))));
  });

  it('appends to one stream in flight are decided in their order', async () => {
    const stream = newStream();
    const appends = Array.from({ length: 50 }, (_, index) =>
      bench.client.appendToStream(stream, testEvents(1), {
        expectedRevision: index === 0 ? NO_STREAM : BigInt(index) - 1n,
      }),
    );
    expect((await Promise.all(appends)).map((result) => Number(result.nextExpectedRevision))).toEqual(
      appends.map((_, index) => index),
    );
  });

  it('one append in several messages is one append', async () => {
    const stream = newStream();
    const events = testEvents(40);
    await bench.client.appendToStream(stream, events, { expectedRevision: NO_STREAM, batchAppendSize: 256 });
    expect(idsOf(await collect(bench.client.readStream(stream)))).toEqual(events.map((event) => event.id));
  });

  it('a deadline that has passed: refused, nothing written', async () => {
    const stream = newStream();
    await expect(
      bench.client.appendToStream(stream, testEvents(1), { deadline: -1000 }),
    ).rejects.toMatchObject({ type: 'deadline-exceeded' });
    await expect(collect(bench.client.readStream(stream))).rejects.toMatchObject({
      type: 'stream-not-found',
    });
  });

  it("names of streams and types that are nobody else's rules", async () => {
    const stream = `$ä/${randomUUID()} ${'x'.repeat(300)}`;
    await bench.client.appendToStream(stream, jsonEvent({ type: 'an odd-type ß', data: {} }));
    const [event] = await collect(bench.client.readStream(stream));
    expect(event!.event).toMatchObject({ streamId: stream, type: 'an odd-type ß' });
  });
});
