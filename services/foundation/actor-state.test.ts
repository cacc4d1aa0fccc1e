import { describe, expect, test } from 'vitest';
import { createActor, createMachine, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { engineMachine } from '../../actors/trading/engine-machine.ts';
import { orderMachine } from '../../actors/trading/order-machine.ts';
import { trainingMachine } from '../../actors/training/machine.ts';
import { folderWatchMachine } from '../../actors/folder-watch/machine.ts';
import { MACHINES } from '../../testing/machines.suite.ts';
import { mermaidOf } from '../../testing/mermaid.ts';
import { regionsOf, waitsFor } from './actor-state.ts';

type Node = AnyStateMachine['root'];

const leavesIn = (node: Node): Node[] =>
  Object.keys(node.states).length === 0 ? [node] : Object.values(node.states).flatMap(leavesIn);

/** The machine with one region in that state, and all others where they begin. */
function at(machine: AnyStateMachine, path: readonly string[]): AnyMachineSnapshot {
  const value = path.reduceRight<object | string>(
    (inner, name) => (inner === '' ? name : { [name]: inner }),
    '',
  );
  return machine.resolveState({ value, context: {} } as never) as AnyMachineSnapshot;
}

const endsAt = (machine: AnyStateMachine, state: string): string[] =>
  regionsOf(at(machine, state.split('.'))).find((region) => region.state === state)!.waits_for;

/** Left at once, or over: nothing ever rests there. */
const isPassing = ({ type, always }: Node): boolean =>
  type === 'final' || (always ?? []).some(({ guard }) => guard === undefined);

const SILENT = [
  // Nothing ends these but the end of the actor, and nothing is awaited there.
  'strategy.failed',
  'training.record.lost',
  'engine.holding.pace.closing',
  // One of its guards always holds.
  'engine.holding.record.folded',
  // It waits for what the region `pace` waits for, which rests nowhere before it has chosen.
  'engine.holding.clock.session.due',
];

test.each(MACHINES.map(([heading, , machine]) => [heading, machine] as const))(
  'each state of %s in which it may rest says what ends that',
  (_, machine) => {
    const silent = leavesIn(machine.root)
      .filter((leaf) => !isPassing(leaf) && endsAt(machine, leaf.path.join('.')).length === 0)
      .map(({ path }) => [machine.id, ...path].join('.'));
    expect(silent.filter((state) => !SILENT.includes(state))).toEqual([]);
  },
);

test.each(MACHINES.map(([heading, , machine]) => [heading, machine] as const))(
  'whatever a state of %s waits for stands in its drawing',
  (_, machine) => {
    const drawing = mermaidOf(machine);
    const awaited = leavesIn(machine.root).flatMap(({ path }) => endsAt(machine, path.join('.')));
    expect(awaited.filter((name) => !new RegExp(`\\b${name}\\b`).test(drawing))).toEqual([]);
  },
);

const holding = (regions: Record<string, object | string>): AnyMachineSnapshot =>
  at(engineMachine, ['holding', regions as never]);

const endsOf = (regions: Record<string, object | string>, of: string): string[] =>
  regionsOf(holding(regions)).find(({ state }) => state.startsWith(`holding.${of}`))!.waits_for;

describe('the engine', () => {
  test('says that a session which is due waits for NEXT where the clock is held, else for the pace', () => {
    const due = { clock: { session: 'due' } };
    expect(endsOf({ ...due, pace: { byHand: 'waiting' } }, 'clock')).toEqual([
      'NEXT',
      'CLOCK_SET',
      'CLOSING',
    ]);
    expect(endsOf({ ...due, pace: 'counting' }, 'clock')).toEqual(['pace', 'RESTED', 'CLOCK_SET', 'CLOSING']);
    expect(waitsFor(holding({ ...due, pace: { byHand: 'waiting' } }))).toContain('NEXT');
  });

  test.each([
    ['holding.clock.betweenSessions.resting', ['RECORDED']],
    ['holding.clock.betweenSessions.delayed', ['poll', 'MARKET_UPDATED']],
    ['holding.clock.session.delayed', ['poll', 'MARKET_UPDATED']],
    ['holding.clock.reconciling.delayed', ['backoff']],
    ['holding.clock.session.opened', ['matchSession']],
    ['holding.clock.session.closed', ['TURN_OVER', 'TURN_DELAYED']],
    ['holding.record.stopped', ['TradingStarted', 'TradingHalted']],
    ['holding.waitingFor.nothing', ['NO_BAR', 'AWAY']],
    ['holding.waitingFor.away.market', ['AWAY', 'GOES_ON', 'NO_BAR']],
    ['holding.reports.delayed', ['poll']],
    // This work never ends, and an event reports its fault.
    ['holding.reports.listening', ['REPORTS_DELAYED']],
    ['standingBy', ['LEASE_HELD', 'SHUTDOWN']],
    ['opening', ['open']],
  ])('in %s waits for %j', (state, ends) => {
    expect(endsAt(engineMachine, state)).toEqual(ends);
  });
});

test.each([
  [orderMachine, 'working', ['RECORDED']],
  [orderMachine, 'cancelDelayed', ['backoff', 'RECORDED']],
  [folderWatchMachine, 'watching.index.resting', ['lookAgain', 'FILES_CHANGED']],
  [trainingMachine, 'record.waiting', ['REPORT', 'ENDED']],
  [trainingMachine, 'work.going', ['ENDED']],
] as const)('$0.id in %s waits for %j', (machine, state, ends) => {
  expect(endsAt(machine, state)).toEqual(ends);
});

test('regions are told in the order of the machine, whichever was entered last', () => {
  const actor = createActor(
    createMachine({
      type: 'parallel',
      states: {
        first: { initial: 'a', states: { a: { on: { A: 'b' } }, b: { on: { B: 'a' } } } },
        second: { initial: 'c', states: { c: { on: { C: 'd' } }, d: {} } },
      },
    }),
  ).start();
  actor.send({ type: 'A' });
  expect(waitsFor(actor.getSnapshot())).toEqual(['B', 'C']);
});
