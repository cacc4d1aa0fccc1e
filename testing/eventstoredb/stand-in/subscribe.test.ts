import {
  END,
  eventTypeFilter,
  excludeSystemEvents,
  START,
  streamNameFilter,
  type AllStreamSubscription,
  type Filter,
  type Position,
  type StreamSubscription,
} from '@eventstore/db-client';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { collect, idsOf, newStream, revisionsOf, take, testEvents, useStandIn } from './client.suite.ts';
import { versionToBe } from './version.ts';

const bench = useStandIn();

/** Notes the events of a subscription in order until `until`, and consumes it. */
async function heard(
  subscription: AllStreamSubscription | StreamSubscription,
  until: string,
): Promise<string[]> {
  const words: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const say = (word: string): void => {
      words.push(word);
      if (word === until) resolve();
    };
    for (const event of ['confirmation', 'caughtUp', 'fellBehind'] as const) {
      (subscription as AllStreamSubscription).on(event, () => say(event));
    }
    (subscription as AllStreamSubscription).on('data', ({ event }) => say(event!.type)).on('error', reject);
  });
  await subscription.unsubscribe();
  return words;
}

describe('subscribeToStream', () => {
  it('confirms, sends history, has caught up, sends what is live', async () => {
    const [stream, other] = [newStream(), newStream()];
    await bench.client.appendToStream(stream, testEvents(2, 'old'));
    const subscription = bench.client.subscribeToStream(stream);
    const words = heard(subscription, 'last');
    await once(subscription, 'caughtUp');
    await bench.client.appendToStream(other, testEvents(1, 'foreign'));
    await bench.client.appendToStream(stream, testEvents(1, 'last'));
    expect(await words).toEqual(['confirmation', 'old', 'old', 'caughtUp', 'last']);
  });

  it('from a revision: after it', async () => {
    const stream = newStream();
    await bench.client.appendToStream(stream, testEvents(6));
    const events = await take(bench.client.subscribeToStream(stream, { fromRevision: 2n }), 3);
    expect(revisionsOf(events)).toEqual([3, 4, 5]);
  });

  it('from the end: what is live only', async () => {
    const stream = newStream();
    await bench.client.appendToStream(stream, testEvents(6));
    const subscription = bench.client.subscribeToStream(stream, { fromRevision: END });
    await once(subscription, 'caughtUp');
    await bench.client.appendToStream(stream, testEvents(2));
    expect(revisionsOf(await take(subscription, 2))).toEqual([6, 7]);
  });

  it('a stream that does not exist yet', async () => {
    const stream = newStream();
    const subscription = bench.client.subscribeToStream(stream);
    await once(subscription, 'confirmation');
    await bench.client.appendToStream(stream, testEvents(1));
    expect(revisionsOf(await take(subscription, 1))).toEqual([0]);
  });

  it('what metadata hides is not sent', async () => {
    const stream = newStream();
    await bench.client.appendToStream(stream, testEvents(5));
    await bench.client.setStreamMetadata(stream, { truncateBefore: 3 });
    expect(revisionsOf(await take(bench.client.subscribeToStream(stream), 2))).toEqual([3, 4]);
  });
});

describe('subscribeToAll', () => {
  it('from the start: what a read of all gives', async () => {
    await bench.client.appendToStream(newStream(), testEvents(3));
    const all = idsOf(await collect(bench.client.readAll()));
    expect(idsOf(await take(bench.client.subscribeToAll({ fromPosition: START }), all.length))).toEqual(all);
  });

  it('from a position: after it; from the end: what is live', async () => {
    const stream = newStream();
    const first = await bench.client.appendToStream(stream, testEvents(1));
    const rest = testEvents(2);
    await bench.client.appendToStream(stream, rest);
    const after = bench.client.subscribeToAll({ fromPosition: first.position! });
    expect(idsOf(await take(after, 2))).toEqual(rest.map((event) => event.id));
    const live = bench.client.subscribeToAll({ fromPosition: END });
    await once(live, 'caughtUp');
    const [event] = testEvents(1);
    await bench.client.appendToStream(stream, event!);
    expect(idsOf(await take(live, 1))).toEqual([event!.id]);
  });

  it.skipIf(versionToBe() === '23.10')(
    'goes back to catching up where more comes at once than it holds, and says no more than that it has',
    async () => {
      const stream = newStream();
      const subscription = bench.client.subscribeToAll({ fromPosition: END });
      const words = heard(subscription, 'last');
      await once(subscription, 'caughtUp');
      const again = once(subscription, 'caughtUp');
      await bench.client.appendToStream(stream, testEvents(100, 'many'));
      await again;
      await bench.client.appendToStream(stream, testEvents(1, 'last'));
      expect((await words).filter((word) => word !== 'many')).toEqual([
        'confirmation',
        'caughtUp',
        'caughtUp',
        'last',
      ]);
    },
  );

  it('23.10 ends a subscription where more comes at once than it holds', async () => {
    const older = await bench.start('23.10');
    const subscription = older.subscribeToAll({ fromPosition: END });
    subscription.resume();
    await once(subscription, 'caughtUp');
    const failed = once(subscription, 'error');
    await older.appendToStream(newStream(), testEvents(100));
    expect(String((await failed)[0])).toContain('Consumer too slow');
  });

  it('a place beyond the end is believed, and what comes before it is never sent', async () => {
    const stream = newStream();
    const { position } = await bench.client.appendToStream(stream, testEvents(1));
    const beyond = { commit: position!.commit + 100_000n, prepare: position!.prepare + 100_000n };
    const subscription = bench.client.subscribeToAll({ fromPosition: beyond });
    const types: string[] = [];
    subscription.on('data', ({ event }) => void types.push(event!.type));
    await once(subscription, 'caughtUp');
    const live = bench.client.subscribeToAll({ fromPosition: END });
    await once(live, 'caughtUp');
    await bench.client.appendToStream(stream, testEvents(1, 'unheard'));
    await take(live, 1);
    expect(types).toEqual([]);
    await subscription.unsubscribe();
  });

  it('a place in the middle of an event is refused', async () => {
    const { position } = await bench.client.appendToStream(newStream(), testEvents(1));
    const middle = { commit: position!.commit + 3n, prepare: position!.prepare + 3n };
    const subscription = bench.client.subscribeToAll({ fromPosition: middle });
    const [error] = (await once(subscription.resume(), 'error')) as [Error];
    expect(error.message).toMatch(/invalid position|Exception was thrown/i);
  });

  it('two at once each get everything', async () => {
    const stream = newStream();
    const filter = streamNameFilter({ prefixes: [stream] });
    const both = [bench.client, bench.connect()].map((client) => take(client.subscribeToAll({ filter }), 60));
    for (let n = 0; n < 6; n++) await bench.client.appendToStream(stream, testEvents(10));
    const expected = idsOf(await collect(bench.client.readStream(stream)));
    for (const events of await Promise.all(both)) expect(idsOf(events)).toEqual(expected);
  });
});

describe('filters', () => {
  const tag = newStream('filtered');
  const FILTERS: [string, Filter, (stream: string, type: string) => boolean][] = [
    ['streams by prefix', streamNameFilter({ prefixes: [`${tag}-a`, `${tag}-b`] }), (s) => /-[ab]$/.test(s)],
    ['streams by expression', streamNameFilter({ regex: `^${tag}-[bc]$` }), (s) => /-[bc]$/.test(s)],
    ['types by prefix', eventTypeFilter({ prefixes: [`${tag}.one`] }), (_, t) => t.endsWith('one')],
    ['types by expression', eventTypeFilter({ regex: `^${tag}.*two$` }), (_, t) => t.endsWith('two')],
  ];

  it.each(FILTERS)('%s', async (_, filter, wanted) => {
    const written: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      for (const type of ['one', 'two']) {
        const events = testEvents(2, `${tag}.${type}`);
        await bench.client.appendToStream(`${tag}-${name}`, events);
        if (wanted(`${tag}-${name}`, type)) written.push(...events.map((event) => event.id));
      }
    }
    const before = (await collect(bench.client.readAll())).filter(
      ({ event }) => event!.streamId.startsWith(tag) && wanted(event!.streamId, event!.type),
    );
    const got = await take(bench.client.subscribeToAll({ filter }), before.length);
    expect(idsOf(got)).toEqual(idsOf(before));
    expect(idsOf(got).slice(-written.length)).toEqual(written);
  });

  it('without the events of the system', async () => {
    await bench.client.setStreamMetadata(newStream(), { maxCount: 3 });
    const all = (await collect(bench.client.readAll())).filter(({ event }) => !event!.type.startsWith('$'));
    expect(
      idsOf(await take(bench.client.subscribeToAll({ filter: excludeSystemEvents() }), all.length)),
    ).toEqual(idsOf(all));
  });

  it.each([
    [{ checkpointInterval: 2 }, 32, 64],
    [{ checkpointInterval: 3, maxSearchWindow: 5 }, 5, 15],
  ])(
    'a checkpoint where so many events were looked at, at the beginning of a page: %j',
    async (options, page, every) => {
      const [noise, stream] = [newStream('noise'), newStream('wanted')];
      const { position } = await bench.client.appendToStream(noise, testEvents(1));
      await bench.client.appendToStream(noise, testEvents(200));
      const last = await bench.client.appendToStream(stream, testEvents(1));
      const looked = await collect(bench.client.readAll({ fromPosition: position! }));
      const checkpoints: Position[] = [];
      const filter = streamNameFilter({
        prefixes: [stream],
        ...options,
        checkpointReached: (_, at) => void checkpoints.push(at),
      });
      const subscription = bench.client.subscribeToAll({ fromPosition: position!, filter });
      subscription.resume();
      await once(subscription, 'caughtUp');
      await subscription.unsubscribe();
      // The page begins with the last sent event, which is read again.
      const due = looked.flatMap(({ event }, at) =>
        at > 0 && (at + page) % every === 0 && at + page <= looked.length ? [event!.position.commit] : [],
      );
      const [history, end] = [checkpoints.slice(0, due.length), checkpoints.slice(due.length)];
      expect(history.map(({ commit }) => commit)).toEqual(due);
      expect(history.every(({ prepare }) => prepare === 0n)).toBe(true);
      expect(end).toEqual(bench.standIn.version === '23.10' ? [] : [last.position]);
    },
  );

  it('24.10 names the start, as a number without a sign, where it found nothing, and never a place again', async () => {
    const stream = newStream('wanted');
    const newer = await bench.start('24.10');
    const checkpoints: Position[] = [];
    const filter = streamNameFilter({
      prefixes: [stream],
      checkpointReached: (_, at) => void checkpoints.push(at),
    });
    const subscription = newer.subscribeToAll({ filter });
    const first = once(subscription, 'data');
    subscription.resume();
    await once(subscription, 'caughtUp');
    expect(checkpoints).toEqual([{ commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n }]);
    await newer.appendToStream(newStream('noise'), testEvents(20));
    await newer.appendToStream(newStream('noise'), testEvents(20));
    await newer.appendToStream(stream, testEvents(1));
    await first;
    expect(checkpoints).toHaveLength(1);
    await subscription.unsubscribe();
  });

  it('names 0, and not the start, where the first page of history held nothing wanted', async () => {
    const stream = newStream('wanted');
    await bench.client.appendToStream(newStream('noise'), testEvents(40));
    await bench.client.appendToStream(stream, testEvents(1));
    const checkpoints: Position[] = [];
    const filter = streamNameFilter({
      prefixes: [stream],
      checkpointReached: (_, at) => void checkpoints.push(at),
    });
    const subscription = bench.client.subscribeToAll({ filter });
    subscription.resume();
    await once(subscription, 'caughtUp');
    expect(checkpoints[0]).toEqual({ commit: 0n, prepare: 0n });
    await subscription.unsubscribe();
  });

  it('checkpoints of live events, past the last one wanted', async () => {
    const [noise, stream] = [newStream('noise'), newStream('wanted')];
    const wanted = await bench.client.appendToStream(stream, testEvents(1));
    const reached = Promise.withResolvers<Position>();
    const filter = streamNameFilter({
      prefixes: [stream],
      checkpointReached: (_, at) => reached.resolve(at),
    });
    const subscription = bench.client.subscribeToAll({ filter, fromPosition: END });
    subscription.resume();
    await once(subscription, 'caughtUp');
    await bench.client.appendToStream(noise, testEvents(32));
    expect((await reached.promise).commit).toBeGreaterThan(wanted.position!.commit);
    await subscription.unsubscribe();
  });
});
