import {
  BACKWARDS,
  END,
  FORWARDS,
  EventStoreDBClient,
  START,
  StreamNotFoundError,
  type AllStreamResolvedEvent,
} from '@eventstore/db-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { collect, idsOf, newStream, revisionsOf, testEvents, useStandIn } from './client.suite.ts';

const bench = useStandIn();

describe('readStream', () => {
  const stream = newStream();
  beforeAll(() => bench.client.appendToStream(stream, testEvents(8)));

  it.each([
    ['from the start', {}, [0, 1, 2, 3, 4, 5, 6, 7]],
    ['from a revision, which is read too', { fromRevision: 5n }, [5, 6, 7]],
    ['with a limit', { maxCount: 2 }, [0, 1]],
    ['from beyond the end', { fromRevision: 20n }, []],
    ['backwards from the end', { direction: BACKWARDS, fromRevision: END }, [7, 6, 5, 4, 3, 2, 1, 0]],
    ['backwards from a revision, which is read too', { direction: BACKWARDS, fromRevision: 1n }, [1, 0]],
    ['backwards with a limit', { direction: BACKWARDS, fromRevision: END, maxCount: 3 }, [7, 6, 5]],
    ['backwards from beyond the end', { direction: BACKWARDS, fromRevision: 20n, maxCount: 1 }, [7]],
    ['backwards from the start', { direction: BACKWARDS, fromRevision: START }, [0]],
  ] as const)('%s', async (_, options, revisions) => {
    expect(revisionsOf(await collect(bench.client.readStream(stream, options)))).toEqual(revisions);
  });

  it('forwards from the end: an error', async () => {
    await expect(collect(bench.client.readStream(stream, { fromRevision: END }))).rejects.toThrow(
      'Unexpected ReadStreamResult: Error',
    );
  });

  it('a stream that does not exist', async () => {
    const error = await collect(bench.client.readStream('nothing')).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StreamNotFoundError);
    expect(error).toMatchObject({ streamName: 'nothing' });
  });

  it('1,000 events come whole and in order', async () => {
    const long = newStream();
    for (let n = 0; n < 4; n++) await bench.client.appendToStream(long, testEvents(250));
    expect(revisionsOf(await collect(bench.client.readStream(long)))).toEqual(
      Array.from({ length: 1000 }, (_, n) => n),
    );
  });
});

const all = (options = {}) => collect(bench.client.readAll(options));

describe('readAll', () => {
  const streams = [newStream('ask'), newStream('tell')];
  let mine: AllStreamResolvedEvent[];

  beforeAll(async () => {
    for (let n = 0; n < 6; n++) await bench.client.appendToStream(streams[n % 2]!, testEvents(2));
    mine = (await all()).filter(({ event }) => streams.includes(event!.streamId));
  });

  it('all streams in the order of writing, positions rise', async () => {
    expect(mine).toHaveLength(12);
    const positions = (await all()).map(({ event }) => event!.position.commit);
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(positions).size).toBe(positions.length);
  });

  it('has events of the server too', async () => {
    expect((await all()).filter(({ event }) => event!.type.startsWith('$')).length).toBeGreaterThan(0);
  });

  it('from a position: the event there is read too', async () => {
    const from = mine[4]!.event!.position;
    expect(idsOf(await all({ fromPosition: from, maxCount: 3 }))).toEqual(idsOf(mine.slice(4, 7)));
  });

  it('backwards from a position: the event there is not', async () => {
    const from = mine[4]!.event!.position;
    expect(idsOf(await all({ direction: BACKWARDS, fromPosition: from, maxCount: 2 }))).toEqual(
      idsOf([mine[3]!, mine[2]!]),
    );
  });

  it('backwards from a position without its prepare part: the event before it is left out', async () => {
    const from = { commit: mine[4]!.event!.position.commit, prepare: 0n };
    expect(idsOf(await all({ direction: BACKWARDS, fromPosition: from, maxCount: 2 }))).toEqual(
      idsOf([mine[2]!, mine[1]!]),
    );
    const nowhere = { commit: from.commit, prepare: from.commit + 1n };
    await expect(all({ fromPosition: nowhere })).rejects.toThrow('Exception was thrown by handler');
  });

  it.each([{ direction: FORWARDS }, { direction: BACKWARDS }])(
    'from within an event: an error, %j',
    async (way) => {
      const { commit } = mine[4]!.event!.position;
      const from = { commit: commit + 1n, prepare: commit + 1n };
      await expect(all({ ...way, fromPosition: from })).rejects.toThrow(/Unexpected ReadAllResult: /);
    },
  );

  it('from beyond the end: nothing forwards, an error backwards', async () => {
    const from = { commit: mine.at(-1)!.event!.position.commit + 100_000n, prepare: 0n };
    expect(await all({ fromPosition: from })).toEqual([]);
    await expect(all({ direction: BACKWARDS, fromPosition: from })).rejects.toThrow(
      'Unexpected ReadAllResult: Error',
    );
  });

  it('backwards from the end is forwards, turned', async () => {
    const turned = await all({ direction: BACKWARDS, fromPosition: END });
    expect(idsOf(turned.reverse())).toEqual(idsOf(await all()));
  });

  it('forwards from the end and backwards from the start: nothing', async () => {
    expect(await all({ fromPosition: END })).toEqual([]);
    expect(await all({ direction: BACKWARDS, fromPosition: START })).toEqual([]);
  });
});

describe('stream metadata', () => {
  it('is kept in a stream of its own, as an event', async () => {
    const stream = newStream();
    await bench.client.setStreamMetadata(stream, { maxCount: 2, note: 'x' });
    expect(await bench.client.getStreamMetadata(stream)).toMatchObject({
      metadata: { maxCount: 2, note: 'x' },
    });
    expect(await bench.client.getStreamMetadata('none')).toEqual({ streamName: 'none' });
    const [event] = await collect(bench.client.readStream(`$$${stream}`));
    expect(event!.event).toMatchObject({ type: '$metadata', data: { $maxCount: 2 } });
  });

  it.each([
    [{ truncateBefore: 3 }, [3, 4]],
    [{ maxCount: 2 }, [3, 4]],
    [{ maxCount: 4, truncateBefore: 2 }, [2, 3, 4]],
    [{ truncateBefore: 9 }, []],
    [{ maxAge: 3600 }, [0, 1, 2, 3, 4]],
  ])('%j hides what is before', async (metadata, revisions) => {
    const stream = newStream();
    await bench.client.appendToStream(stream, testEvents(5));
    await bench.client.setStreamMetadata(stream, metadata);
    expect(revisionsOf(await collect(bench.client.readStream(stream)))).toEqual(revisions);
    expect((await bench.client.appendToStream(stream, testEvents(1))).nextExpectedRevision).toBe(5n);
  });
});

describe('gossip', () => {
  it('names this node as the leader of a cluster', async () => {
    const node = `127.0.0.1:${bench.standIn.port}`;
    const client = EventStoreDBClient.connectionString(`esdb://${node},${node}?tls=false`);
    const stream = newStream();
    await client.appendToStream(stream, testEvents(1));
    expect(await collect(client.readStream(stream))).toHaveLength(1);
    await client.dispose();
  });
});
