import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { startedAt } from '../lifecycle.ts';
import { silent, statesOf, transitionsOf, unansweredIn, walk } from '../machine-paths.suite.ts';
import { updateMachine, type RecordedUpdate } from './machine.ts';
import { UPDATE_LIFECYCLE, type UpdateState } from './update.ts';

const machine = updateMachine.provide({ actors: { update: silent(), record: silent() } });
const counts = { update_id: 'u', updated: 0, failed: 0 };
const RUNNING: UpdateState = { status: 'running', remaining: ['A', 'B'], ...counts };
const STATES: readonly UpdateState[] = [
  { status: 'idle' },
  RUNNING,
  { status: 'running', remaining: [], ...counts },
  { status: 'finished', ...counts },
];
const request: RecordedUpdate['request'] = {
  updateId: 'u',
  source: 'csv',
  tickers: ['A', 'B'],
  full: true,
  correlationId: 'r',
  callId: 'c',
};
const ERRORS = [
  new BelegError('WRONG_EXPECTED_REVISION'),
  new BelegError('SERVICE_UNAVAILABLE'),
  new TypeError('a mistake'),
];
const RECORDED: readonly string[] = UPDATE_LIFECYCLE.events;

const RESULTS = [{ status: 'updated' }, { status: 'failed', faults: ['bad'] }];

const eventsWhere = (result: (typeof RESULTS)[number]) =>
  updateMachine.events
    // Sent by the machine itself, once it has recorded them.
    .filter((type) => !RECORDED.includes(type))
    .flatMap((type): { type: string }[] => {
      if (type.startsWith('xstate.error')) return ERRORS.map((error) => ({ type, error }));
      if (type.includes('recording')) return STATES.slice(1).map((output) => ({ type, output }));
      return [{ type, ...(type.startsWith('xstate.done') ? { output: result } : {}) }];
    });
const walked = STATES.flatMap((state) =>
  RESULTS.map((result) =>
    walk(startedAt(machine, state.status), eventsWhere(result), { input: { request, state } }),
  ),
);
const ends = walked.flatMap((each) => each.ends);

describe('paths through an update of the market data', () => {
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

  it('meet in every status what its lifecycle says may follow', () => {
    for (const { value, _nodes } of ends) {
      if (value === 'givenUp') continue;
      const status = (
        typeof value === 'string' ? value : Object.keys(value)[0]
      ) as keyof typeof UPDATE_LIFECYCLE.table;
      const met = _nodes.flatMap(({ ownEvents }) => ownEvents).filter((type) => RECORDED.includes(type));
      expect(new Set<string>(met)).toEqual(new Set(Object.keys(UPDATE_LIFECYCLE.table[status])));
    }
  });
});
