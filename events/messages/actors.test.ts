import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { InProcessBus } from '../bus/in-process.ts';
import { ListActors, type ActorList } from './actors.ts';
import { call, newCall, serve } from './define.ts';

const actor = (process: string, kind: string, since: string): ActorList['actors'][number] => ({
  process,
  kind,
  id: randomUUID(),
  state: 'working',
  since,
  waits_for: [],
  regions: [],
  children: [],
});
const list = (...actors: ActorList['actors']): ActorList => ({
  processes: 1,
  counts: [...Map.groupBy(actors, ({ kind }) => kind)].map(([kind, { length }]) => ({
    kind,
    state: 'working',
    count: length,
  })),
  actors,
});

test('the actors of all processes are one list, by kind and age', async () => {
  const broker = new InProcessBus();
  const early = '2026-01-15T08:00:00.000Z';
  const late = '2026-01-15T09:00:00.000Z';
  const [order, other, ask] = [
    actor('a', 'order', late),
    actor('b', 'order', early),
    actor('b', 'ask', late),
  ];
  for (const each of [list(order), list(other, ask), list()]) {
    serve(
      broker.connect(() => undefined),
      ListActors,
      'actors',
      async () => each,
      () => undefined,
    );
  }
  expect(
    await call(
      broker.connect(() => undefined),
      ListActors,
      {},
      newCall(),
    ),
  ).toEqual({
    processes: 3,
    counts: [
      { kind: 'ask', state: 'working', count: 1 },
      { kind: 'order', state: 'working', count: 2 },
    ],
    actors: [ask, other, order],
  });
});

test('nobody who answers is an error', async () => {
  const bus = new InProcessBus().connect(() => undefined);
  await expect(call(bus, ListActors, {}, newCall())).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
});
