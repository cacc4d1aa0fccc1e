import { createActor, createMachine, fromPromise, setup } from 'xstate';
import { beforeEach, describe, expect, test } from 'vitest';
import { ActorHost } from './actor-host.ts';
import type { Clock } from './clock.ts';
import { stateAround, stateText } from '../../actors/state-text.ts';

/** A clock that only moves when a test advances it. */
function manualClock() {
  let now = Date.UTC(2026, 0, 15, 8);
  const timers = new Set<{ at: number; run: () => void }>();
  const clock: Clock = {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    every: () => () => undefined,
  };
  return {
    clock,
    pass(ms: number): void {
      now += ms;
      for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.run();
    },
  };
}

const work = Promise.withResolvers<void>();
const machine = setup({
  actors: {
    fetch: fromPromise(() => work.promise),
    helper: createMachine({
      initial: 'helping',
      states: { helping: { on: { HELPED: 'helped' } }, helped: {} },
    }),
  },
  delays: { pause: 50 },
}).createMachine({
  id: 'work',
  initial: 'idle',
  states: {
    idle: { on: { BEGIN: 'working', NOTE: {} } },
    working: {
      initial: 'fetching',
      states: { fetching: { invoke: { src: 'fetch', onDone: '#over' } } },
      invoke: { id: 'aid', src: 'helper', onDone: 'over' },
      on: { AWAY: 'resting', END: 'over' },
    },
    resting: { after: { pause: 'working' } },
    over: { id: 'over', type: 'final' },
  },
});

let lines: object[];
let time: ReturnType<typeof manualClock>;
let actors: ActorHost;

beforeEach(() => {
  lines = [];
  time = manualClock();
  const logger = { debug: (line: object) => void lines.push(line) };
  actors = new ActorHost({ logger, process: 'p1', clock: time.clock });
});

const start = () =>
  actors.host(createActor(machine, { clock: actors.clock }), { kind: 'work', id: 'w1' }).start();
const states = () => actors.list().actors.map(({ state }) => state);

describe('an actor that is hosted', () => {
  test('is listed with its state, since when, and what it waits for', () => {
    const actor = start();
    time.pass(1_000);
    expect(actors.list()).toEqual({
      processes: 1,
      counts: [{ kind: 'work', state: 'idle', count: 1 }],
      actors: [
        {
          process: 'p1',
          kind: 'work',
          id: 'w1',
          state: 'idle',
          since: '2026-01-15T08:00:00.000Z',
          waits_for: ['BEGIN'],
          regions: [],
          children: [],
        },
      ],
    });
    actor.send({ type: 'BEGIN' });
    expect(actors.list().actors[0]).toMatchObject({
      state: 'working.fetching',
      since: '2026-01-15T08:00:01.000Z',
      waits_for: ['fetch', 'helper'],
      children: [{ id: 'aid', state: 'helping', since: '2026-01-15T08:00:01.000Z', waits_for: ['HELPED'] }],
    });
    actor.send({ type: 'AWAY' });
    expect(actors.list().actors[0]).toMatchObject({ state: 'resting', waits_for: ['pause'], children: [] });
  });

  test('has children, each with the time at which it entered its own state', () => {
    const family = createMachine({
      initial: 'busy',
      states: {
        busy: {
          invoke: {
            id: 'child',
            src: createMachine({
              initial: 'idle',
              states: { idle: { on: { GO: 'gone' } }, gone: { on: { NOTE: {} } } },
            }),
          },
        },
      },
    });
    const actor = actors.host(createActor(family), { kind: 'family', id: 'f1' }).start();
    const child = () => actors.list().actors[0]!.children[0];
    expect(child()).toMatchObject({ state: 'idle', since: '2026-01-15T08:00:00.000Z' });
    time.pass(1_000);
    actor.getSnapshot().children['child']!.send({ type: 'GO' });
    time.pass(1_000);
    actor.getSnapshot().children['child']!.send({ type: 'NOTE' });
    expect(child()).toMatchObject({ state: 'gone', since: '2026-01-15T08:00:01.000Z' });
    // It is listed below the actor that it belongs to, and nowhere else.
    expect(actors.list().actors).toHaveLength(1);
    expect(lines).toContainEqual({ kind: 'child', id: 'f1', from: 'idle', to: 'gone' });
  });

  test('is listed with its first state before it is started', () => {
    actors.host(createActor(machine), { kind: 'work', id: 'w1' });
    expect(actors.list().actors).toMatchObject([{ state: 'idle', waits_for: ['BEGIN'] }]);
    expect(actors.list().counts).toEqual([{ kind: 'work', state: 'idle', count: 1 }]);
  });

  test('stays in its state where an event changes none', () => {
    const actor = start();
    time.pass(1_000);
    actor.send({ type: 'NOTE' });
    expect(actors.list().actors[0]).toMatchObject({ since: '2026-01-15T08:00:00.000Z' });
    expect(lines).toHaveLength(1);
  });

  test('has a time and an end of its rest for each of the regions that stand side by side', () => {
    const lamp = createMachine({
      initial: 'off',
      states: {
        off: { on: { SWITCH: 'on' } },
        on: {
          type: 'parallel',
          on: { SWITCH: 'off' },
          states: {
            colour: { initial: 'red', states: { red: { on: { GREEN: 'green' } }, green: {} } },
            alarm: {
              initial: 'silent',
              on: { RING: '.ringing' },
              states: { silent: {}, ringing: { initial: 'loud', states: { loud: {} } } },
            },
          },
        },
      },
    });
    const actor = actors.host(createActor(lamp), { kind: 'lamp', id: 'l1' }).start();
    time.pass(1_000);
    actor.send({ type: 'SWITCH' });
    time.pass(1_000);
    actor.send({ type: 'GREEN' });
    time.pass(1_000);
    actor.send({ type: 'RING' });
    time.pass(1_000);
    // It rings again, in the state in which it already is.
    actor.send({ type: 'RING' });
    expect(actors.list().actors[0]).toMatchObject({
      state: 'on.colour.green on.alarm.ringing.loud',
      since: '2026-01-15T08:00:01.000Z',
      waits_for: ['RING'],
      regions: [
        { state: 'on.colour.green', since: '2026-01-15T08:00:02.000Z', waits_for: [] },
        { state: 'on.alarm.ringing.loud', since: '2026-01-15T08:00:04.000Z', waits_for: ['RING'] },
      ],
    });
    actor.send({ type: 'SWITCH' });
    expect(actors.list().actors[0]).toMatchObject({
      state: 'off',
      since: '2026-01-15T08:00:04.000Z',
      regions: [],
    });
  });

  test('that leaves a state and is back in it at once is in it since then', () => {
    const gate = createMachine({
      type: 'parallel',
      states: {
        pace: {
          initial: 'counting',
          states: {
            counting: { on: { DUE: 'open', STAY: 'counting', NOTE: {} } },
            open: { always: 'counting' },
          },
        },
        others: { initial: 'still', states: { still: {} } },
      },
    });
    const actor = actors.host(createActor(gate), { kind: 'gate', id: 'g1' }).start();
    const since = () => actors.list().actors[0]!.regions.map((region) => region.since);
    time.pass(1_000);
    actor.send({ type: 'DUE' });
    expect(since()).toEqual(['2026-01-15T08:00:01.000Z', '2026-01-15T08:00:00.000Z']);
    time.pass(1_000);
    actor.send({ type: 'STAY' });
    actor.send({ type: 'NOTE' });
    expect(since()).toEqual(['2026-01-15T08:00:01.000Z', '2026-01-15T08:00:00.000Z']);
    expect(actors.list().actors[0]!.since).toBe('2026-01-15T08:00:00.000Z');
  });

  test('has its delays on the clock of the process', () => {
    const actor = start();
    actor.send({ type: 'BEGIN' });
    actor.send({ type: 'AWAY' });
    time.pass(49);
    expect(states()).toEqual(['resting']);
    time.pass(1);
    expect(states()).toEqual(['working.fetching']);
  });

  test('is known no more once it is done, stopped or has failed', () => {
    const [done, stopped] = [start(), start()];
    done.send({ type: 'BEGIN' });
    expect(actors.list().counts).toEqual([
      { kind: 'work', state: 'working.fetching', count: 1 },
      { kind: 'work', state: 'idle', count: 1 },
    ]);
    done.send({ type: 'END' });
    expect(states()).toEqual(['idle']);
    stopped.stop();
    expect(states()).toEqual([]);

    const failing = createMachine({
      entry: () => {
        throw new Error('a mistake');
      },
    });
    const failed = actors.host(createActor(failing), { kind: 'work', id: 'w2' });
    failed.subscribe({ error: () => undefined });
    failed.start();
    expect(states()).toEqual([]);
  });

  test('tells each change of its state and of its children at level debug, and nothing else', () => {
    const actor = start();
    actor.send({ type: 'BEGIN' });
    expect(lines).toEqual([
      { kind: 'work', id: 'w1', from: '', to: 'idle' },
      { kind: 'work', id: 'w1', from: 'idle', to: 'working.fetching' },
      { kind: 'aid', id: 'w1', from: '', to: 'helping' },
    ]);
  });
});

test.each([
  [['off'], 'off'],
  [['on.colour.red', 'on.alarm.silent'], 'on'],
  [['run.training', 'work.going'], ''],
])('regions %j are all in %j', (regions, around) => {
  expect(stateAround(regions)).toBe(around);
});

test.each([
  ['idle', 'idle'],
  [{ asked: 'retrieving' }, 'asked.retrieving'],
  [{ run: 'training', work: 'going' }, 'run.training work.going'],
  [{ held: { record: { running: 'x' }, clock: 'y' } }, 'held.record.running.x held.clock.y'],
])('%j is written %s', (value, text) => {
  expect(stateText(value)).toBe(text);
});
