import { describe, expect, it } from 'vitest';
import { ignoredIn, statesOf, transitionsOf, walk } from '../machine-paths.suite.ts';
import { deliveryMachine } from './delivery-machine.ts';

const EVENTS = deliveryMachine.events.map((type) => ({ type }));

describe('paths through the delivery of orders', () => {
  const { states, transitions, ends } = walk(deliveryMachine, EVENTS);

  it('reach every state, and take every transition', () => {
    expect(statesOf(deliveryMachine).filter((id) => !states.has(id))).toEqual([]);
    expect(transitionsOf(deliveryMachine).filter((name) => !transitions.has(name))).toEqual([]);
  });

  it('meet each event in every state, or it is listed as ignored', () => {
    expect(ignoredIn(ends, deliveryMachine.events)).toEqual({
      // The session is the same one, tried again.
      held: ['HOLD'],
      open: ['RELEASE'],
      stopped: ['HOLD', 'RELEASE', 'STOP'],
    });
  });
});
