import {
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { collect, newStream, revisionsOf, testEvents, useStandIn } from './client.suite.ts';

const bench = useStandIn();

async function begun(): Promise<string> {
  const stream = newStream();
  await bench.client.appendToStream(stream, testEvents(4));
  return stream;
}

const read = (stream: string) => collect(bench.client.readStream(stream));

describe('deleteStream', () => {
  it.each(['any', 3n] as const)('expected %s: the stream is not found any more', async (expectedRevision) => {
    const stream = await begun();
    const { position } = await bench.client.deleteStream(stream, { expectedRevision });
    expect(position!.commit).toBeGreaterThan(0n);
    await expect(read(stream)).rejects.toThrow(StreamNotFoundError);
  });

  it.each([2n, NO_STREAM] as const)('expected %s: refused', async (expectedRevision) => {
    const stream = await begun();
    const error = await bench.client
      .deleteStream(stream, { expectedRevision })
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(WrongExpectedVersionError);
    expect(error).toMatchObject({
      streamName: stream,
      expectedVersion: expectedRevision === 2n ? 2n : -1n,
      actualVersion: 3n,
    });
    expect(await read(stream)).toHaveLength(4);
  });

  it('a stream that does not exist, unless it has metadata', async () => {
    const stream = newStream();
    await expect(bench.client.deleteStream(stream)).rejects.toThrow(WrongExpectedVersionError);
    await bench.client.setStreamMetadata(stream, { cacheControl: 10 });
    await bench.client.deleteStream(stream, { expectedRevision: NO_STREAM });
  });

  it.each([NO_STREAM, 'any', 3n] as const)(
    'appending with %s begins it again after its last revision',
    async (expectedRevision) => {
      const stream = await begun();
      await bench.client.deleteStream(stream);
      await expect(
        bench.client.appendToStream(stream, testEvents(1), { expectedRevision: STREAM_EXISTS }),
      ).rejects.toThrow(StreamDeletedError);
      const result = await bench.client.appendToStream(stream, testEvents(2), { expectedRevision });
      expect(result.nextExpectedRevision).toBe(5n);
      expect(revisionsOf(await read(stream))).toEqual([4, 5]);
    },
  );

  it('its events stay in $all, and so does the deletion', async () => {
    const stream = await begun();
    await bench.client.deleteStream(stream);
    const all = await collect(bench.client.readAll());
    expect(all.filter(({ event }) => event!.streamId === stream)).toHaveLength(4);
    expect(all.at(-1)!.event).toMatchObject({ streamId: `$$${stream}`, type: '$metadata' });
  });
});

describe('tombstoneStream', () => {
  it.each(['any', 3n] as const)(
    'expected %s: the stream can never be used again',
    async (expectedRevision) => {
      const stream = await begun();
      await bench.client.tombstoneStream(stream, { expectedRevision });
      await expect(read(stream)).rejects.toMatchObject({ type: 'stream-deleted', streamName: stream });
      for (const expected of ['any', NO_STREAM, 3n] as const) {
        await expect(
          bench.client.appendToStream(stream, testEvents(1), { expectedRevision: expected }),
        ).rejects.toMatchObject({ type: 'stream-deleted', streamName: stream });
      }
      const credentials = { username: 'admin', password: 'changeit' };
      await expect(bench.client.appendToStream(stream, testEvents(1), { credentials })).rejects.toThrow(
        StreamDeletedError,
      );
      await expect(bench.client.tombstoneStream(stream)).rejects.toThrow(StreamDeletedError);
      await expect(collect(bench.client.subscribeToStream(stream))).rejects.toThrow(StreamDeletedError);
    },
  );

  it.each([1n, NO_STREAM] as const)('expected %s: refused', async (expectedRevision) => {
    const stream = await begun();
    await expect(bench.client.tombstoneStream(stream, { expectedRevision })).rejects.toThrow(
      WrongExpectedVersionError,
    );
    expect(await read(stream)).toHaveLength(4);
  });

  it('a stream that does not exist', async () => {
    const stream = newStream();
    await bench.client.tombstoneStream(stream, { expectedRevision: NO_STREAM });
    await expect(read(stream)).rejects.toThrow(StreamDeletedError);
  });
});
