import { describe, expect, it } from 'vitest';
import { leavesOf, silent, statesOf, transitionsOf, unansweredIn, walk } from '../machine-paths.suite.ts';
import { orderMachine, type OrderInput } from './order-machine.ts';

const machine = orderMachine.provide({
  actors: { submit: silent(), find: silent(), cancel: silent(), amend: silent() },
});

const EVENTS = orderMachine.events.flatMap((type): { type: string; output?: unknown }[] => {
  if (type === 'RECORDED') {
    const told = [
      { status: 'accepted', cancelRequested: false, amendment: 0 },
      { status: 'accepted', cancelRequested: false, amendment: 1 },
      { status: 'pending_cancel', cancelRequested: true, amendment: 0 },
      { status: 'filled', cancelRequested: false, amendment: 0 },
    ];
    return told.map((each) => ({ type, ...each }));
  }
  if (type.startsWith('xstate.done') && type.endsWith('asking'))
    return [null, { open: true }].map((output) => ({ type, output }));
  if (type.startsWith('xstate.done') && type.endsWith('amending')) return [{ type, output: 1 }];
  return [{ type }];
});
const INPUTS = (['deliver', 'ask', 'work'] as const).flatMap((begin) =>
  [true, false].map((cancelRequested): OrderInput => ({
    order_id: 'o',
    begin,
    cancelRequested,
    amendment: 0,
  })),
);
const walked = INPUTS.map((input) => walk(machine, EVENTS, { input }));

describe("paths through an order's dealings with the broker", () => {
  it('reach every state', () => {
    const states = new Set(walked.flatMap((each) => [...each.states]));
    expect(statesOf(machine).filter((id) => !states.has(id))).toEqual([]);
  });

  it('take every transition', () => {
    const taken = new Set(walked.flatMap(({ transitions }) => [...transitions]));
    expect(transitionsOf(machine).filter((name) => !taken.has(name))).toEqual([]);
  });

  it('have a way for whatever its actors answer or fail with', () => {
    expect(unansweredIn(machine)).toEqual([]);
  });

  it('hear in every state but the last of what is recorded', () => {
    for (const { value, machine: of } of walked.flatMap(({ ends }) => ends)) {
      expect(leavesOf(of)).toContain(`order.${String(value)}`);
      expect(of.root.ownEvents).toContain('RECORDED');
    }
  });
});
