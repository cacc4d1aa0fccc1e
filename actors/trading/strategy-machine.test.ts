import { describe, expect, it } from 'vitest';
import { silent, statesOf, transitionsOf, unansweredIn, walk } from '../machine-paths.suite.ts';
import { StrategyFailed, strategyMachine } from './strategy-machine.ts';

const DAY = { date: '2024-01-02', bars: {}, splits: {} };
const MISSED = { sessions: [], pause: { working: new Set<string>(), sold: new Set<string>() } };
const PAST = { date: null, closed: false, closes: new Map(), traded: new Set(), sessions: [] };

/** Its messages to the engine. */
let told: string[];

const machine = strategyMachine.provide({
  actors: { warmUp: silent(), resume: silent(), decide: silent(), submit: silent() },
  actions: {
    tellOver: () => void told.push('over'),
    tellDelay: () => void told.push('delay'),
    tellFailure: () => void told.push('failure'),
  },
});

const EVENTS = strategyMachine.events.flatMap((type): { type: string }[] => {
  if (type === 'BEGIN') return [{ type, past: PAST } as { type: string }];
  if (type === 'SESSION') return [DAY, { ...DAY, date: '2024-01-03' }].map((day) => ({ type, day }));
  if (type.startsWith('xstate.error'))
    return [new StrategyFailed(null), new Error('away')].map((error) => ({ type, error }));
  if (type.endsWith('warmingUp'))
    return [null, DAY].flatMap((day) =>
      [null, MISSED].map((missed) => ({ type, output: { day, missed } }) as { type: string }),
    );
  if (type.endsWith('resuming')) return [null, MISSED].map((output) => ({ type, output }));
  if (type.endsWith('deciding'))
    return [{ type, output: { date: DAY.date, orders: [] } } as { type: string }];
  return [{ type }];
});

describe('the strategy of an account', () => {
  told = [];
  const { states, transitions, ends } = walk(machine, EVENTS);

  it('comes to every state, and takes every transition', () => {
    expect(statesOf(machine).filter((id) => !states.has(id))).toEqual([]);
    expect(transitionsOf(machine).filter((name) => !transitions.has(name))).toEqual([]);
  });

  it('have a way for whatever its actors answer or fail with', () => {
    expect(unansweredIn(machine)).toEqual([]);
  });

  it('is asked only when it has answered, but begins anew at any time after that', () => {
    const ignored: Record<string, string[]> = {};
    for (const { value, _nodes } of ends) {
      const met = _nodes.flatMap(({ transitions }) => [...transitions.keys()]);
      ignored[value as string] = ['BEGIN', 'SESSION'].filter((type) => !met.includes(type));
    }
    expect(ignored).toEqual({
      new: ['SESSION'],
      warmingUp: ['BEGIN', 'SESSION'],
      waiting: [],
      resuming: ['BEGIN', 'SESSION'],
      deciding: ['BEGIN', 'SESSION'],
      submitting: ['BEGIN', 'SESSION'],
      failed: [],
    });
  });
});
