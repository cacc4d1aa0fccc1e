import { fromCallback } from 'xstate';
import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { silent, statesOf, transitionsOf, unansweredIn, walk } from '../machine-paths.suite.ts';
import { TRAINING_LIFECYCLE } from './lifecycle.ts';
import { trainingMachine, type StopWork } from './machine.ts';
import type { RunCommand } from './training-run.ts';

const machine = trainingMachine.provide({
  actors: { work: fromCallback<StopWork>(() => undefined), record: silent() },
});
const command: RunCommand = { type: 'end-training', step: 1 };
const RECORDED: readonly string[] = TRAINING_LIFECYCLE.events;

const EVENTS = trainingMachine.events.flatMap((type): { type: string }[] => {
  const told = type.startsWith('xstate.error')
    ? [new BelegError('STORE_UNAVAILABLE'), new TypeError('a mistake')].map((error) => ({ error }))
    : [{ command }];
  return told.map((each) => ({ type, ...each }));
});
const walked = walk(machine, EVENTS);

describe('paths through a run of training', () => {
  it('reach every state', () => {
    expect(statesOf(machine).filter((id) => !walked.states.has(id))).toEqual([]);
  });

  it('take every transition', () => {
    expect(transitionsOf(machine).filter((name) => !walked.transitions.has(name))).toEqual([]);
  });

  it('have a way for whatever its actors answer or fail with', () => {
    // Its end is reported by an event.
    expect(unansweredIn(machine)).toEqual([
      'training.work.going work done',
      'training.work.going work error',
    ]);
  });

  it('meet in every status what its lifecycle says may follow, until the run is over', () => {
    for (const { value, _nodes } of walked.ends) {
      const status = (value as { run: keyof typeof TRAINING_LIFECYCLE.table }).run;
      const ofRun = _nodes.filter(({ path }) => path[0] === 'run');
      const met = ofRun.flatMap(({ ownEvents }) => ownEvents).filter((type) => RECORDED.includes(type));
      const may = status === 'interrupted' ? [] : Object.keys(TRAINING_LIFECYCLE.table[status]);
      expect(new Set<string>(met)).toEqual(new Set(may));
    }
  });

  it('meet what the work tells while it goes, and a shutdown; ignored once it is over', () => {
    const TOLD = ['REPORT', 'ENDED', 'TrainingStopRequested', 'SHUTDOWN'];
    for (const { value, _nodes } of walked.ends) {
      const ofWork = _nodes.filter(({ path }) => path[0] === 'work');
      const met = new Set(ofWork.flatMap(({ ownEvents }) => ownEvents));
      const isGoing = (value as { work: string }).work === 'going';
      expect(TOLD.filter((type) => met.has(type as never))).toEqual(isGoing ? TOLD : []);
    }
  });
});
