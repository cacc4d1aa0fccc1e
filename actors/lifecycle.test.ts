import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { ERASURE_LIFECYCLE } from './erasure/erasure.ts';
import { machineOf, startedAt, type AnyLifecycle } from './lifecycle.ts';
import { statesOf, transitionsOf, walk } from './machine-paths.suite.ts';
import { RATING_LIFECYCLE } from './rating/lifecycle.ts';
import { INDEX_LIFECYCLE } from './reindex/reindex.ts';
import { ORDER_LIFECYCLE } from './trading/order-lifecycle.ts';

const LIFECYCLES: readonly AnyLifecycle[] = [
  RATING_LIFECYCLE,
  INDEX_LIFECYCLE,
  ERASURE_LIFECYCLE,
  ORDER_LIFECYCLE,
];

describe.each(LIFECYCLES.map((lifecycle) => [lifecycle.name, lifecycle] as const))(
  'the machine of %s',
  (_, lifecycle) => {
    const machine = machineOf(lifecycle);
    const EVENTS = lifecycle.events.map((type) => ({ type }));
    // A part of a fill leads to where the whole of it does not: some statuses are reached from others only.
    const walked = lifecycle.statuses.map((status) => walk(startedAt(machine, status), EVENTS));

    it('has paths to every state, by every transition', () => {
      const states = new Set(walked.flatMap((each) => [...each.states]));
      const taken = new Set(walked.flatMap((each) => [...each.transitions]));
      expect(statesOf(machine).filter((id) => !states.has(id))).toEqual([]);
      expect(transitionsOf(machine).filter((name) => !taken.has(name))).toEqual([]);
    });

    it('goes where the table says, and ignores what may not follow', () => {
      for (const status of lifecycle.statuses) {
        const { status: isOver } = createActor(startedAt(machine, status)).start().getSnapshot();
        expect(isOver).toBe(lifecycle.hasEnded(status) ? 'done' : 'active');
        if (lifecycle.hasEnded(status)) continue;
        for (const event of EVENTS) {
          const actor = createActor(startedAt(machine, status)).start();
          actor.send(event);
          const to = lifecycle.mayFollow(status, event.type) ? lifecycle.next(status, event.type) : status;
          expect(actor.getSnapshot().value).toBe(to);
        }
      }
    });
  },
);
