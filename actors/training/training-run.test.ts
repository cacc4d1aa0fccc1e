import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBelegError } from '../../events/errors.ts';
import { given } from '../given.suite.ts';
import { TRAINING } from '../streams/models.ts';
import { TRAINING_LIFECYCLE, isUnderWay } from './lifecycle.ts';
import {
  canResume,
  decide,
  evolve,
  initialState,
  type EpochFinished,
  type Prepared,
  type RunCommand,
  type RunState,
  type TrainingEventDraft,
  type TrainingPlan,
} from './training-run.ts';

const plan: TrainingPlan = {
  settings: {
    features: ['log_return'],
    sequence_length: 8,
    hidden_channels: 8,
    num_heads: 2,
    layers: 1,
    dropout: 0,
    batch_size: 4,
    epochs: 2,
    learning_rate: 0.001,
    seed: 1,
  },
  as_of: '2024-01-31',
  provider: 'cpu',
};
const part = { windows: 3, from: '2024-01-02', to: '2024-01-04' };
const prepared: Prepared = {
  dataset: 'd',
  tickers: 1,
  train: part,
  validation: part,
  test: part,
  parameters: 10,
  steps: 20,
  step: 0,
  provider: 'cpu',
  fallback: null,
};
const epoch: EpochFinished = {
  epoch: 1,
  step: 10,
  train_loss: 1,
  validation_loss: 1,
  validation: { return: 0, volatility: 0 },
  best: true,
};
const finished = {
  weights: 'w',
  best_epoch: 1,
  step: 20,
  scores: {
    network: { return: 0, volatility: 0 },
    ridge: { return: 0, volatility: 0 },
    mean: { return: 0, volatility: 0 },
  },
};
const failed = { fault: 'LOSS_NOT_FINITE', detail: 'the loss is NaN', step: 7 };

const commands: readonly RunCommand[] = [
  { type: 'start-training', run: 'r', plan },
  { type: 'resume-training' },
  { type: 'stop-training' },
  { type: 'record-preparation', prepared },
  { type: 'record-epoch', epoch },
  { type: 'record-epoch', epoch: { ...epoch, epoch: 2, step: 20 } },
  { type: 'finish-training', finished },
  { type: 'fail-training', failed },
  { type: 'end-training', step: 12 },
  { type: 'abandon-training', detail: null, step: null },
  { type: 'abandon-training', detail: 'SIGKILL', step: 15 },
];
const [start, resume, stop, prepare, firstEpoch, secondEpoch, finish, fail, end, abandon, die] = commands as [
  RunCommand,
  ...RunCommand[],
] &
  readonly RunCommand[];

/** A run after commands, each on what the one before it left. */
function after(...steps: readonly (RunCommand | undefined)[]) {
  const history: TrainingEventDraft[] = [];
  for (const command of steps) history.push(...decide(command!, given(TRAINING, ...history).state));
  return given(TRAINING, ...history);
}

/** Why and where it was interrupted. */
function reason(...history: (RunCommand | undefined)[]) {
  const state = after(...history).state;
  return state.status === 'interrupted' ? [state.reason, state.step] : state.status;
}

function decideOrRefuse(command: RunCommand, state: RunState): readonly TrainingEventDraft[] {
  try {
    return decide(command, state);
  } catch (error) {
    if (isBelegError(error, 'ALREADY_TRAINING', 'NOT_TRAINING')) return [];
    throw error;
  }
}

describe('a run of training', () => {
  it('starts once', () => {
    after()
      .when(start)
      .then({ type: 'TrainingStarted', data: { run: 'r', ...plan } });
    for (const history of [[start], [start, prepare, finish], [start, end]]) {
      after(...history)
        .when(start)
        .refuses('ALREADY_TRAINING');
    }
  });

  it('goes on where it was interrupted, and only there', () => {
    for (const history of [
      [start, end],
      [start, prepare, firstEpoch, die],
      [start, stop, abandon],
    ]) {
      after(...history)
        .when(resume!)
        .then({ type: 'TrainingResumed', data: { run: 'r' } });
    }
    after(start).when(resume!).refuses('ALREADY_TRAINING');
    after(start, prepare, stop).when(resume!).refuses('ALREADY_TRAINING');
    for (const history of [[], [start, prepare, finish], [start, fail]]) {
      after(...history)
        .when(resume!)
        .refuses('NOT_TRAINING');
    }
    expect(after(start, prepare, firstEpoch, end, resume).state).toMatchObject({
      status: 'preparing',
      step: 12,
      epochs: [epoch],
      reason: null,
    });
  });

  it('is asked to stop while it prepares and while it trains; again is nothing new', () => {
    after(start).when(stop!).thenLike({ type: 'TrainingStopRequested' });
    after(start, prepare).when(stop!).thenLike({ type: 'TrainingStopRequested' });
    after(start, stop).when(stop!).thenNothing();
    for (const history of [[], [start, end], [start, prepare, finish], [start, fail]]) {
      after(...history)
        .when(stop!)
        .refuses('NOT_TRAINING');
    }
  });

  it('tells a stop that was asked for from one that was not, and both from a crash', () => {
    expect(reason(start, prepare, stop, end)).toEqual(['stopped', 12]);
    expect(reason(start, prepare, end)).toEqual(['shutdown', 12]);
    expect(reason(start, prepare, firstEpoch, abandon)).toEqual(['crashed', 10]);
    expect(reason(start, prepare, firstEpoch, die)).toEqual(['crashed: SIGKILL', 15]);
  });

  it('takes in what the trainer was doing when it was asked to stop', () => {
    after(start, stop).when(prepare!).thenLike({ type: 'TrainingPrepared' });
    expect(after(start, stop, prepare).state).toMatchObject({ status: 'stopping', prepared });
    expect(after(start, prepare, stop, firstEpoch).state).toMatchObject({
      status: 'stopping',
      epochs: [epoch],
    });
    expect(after(start, prepare, stop, finish).state).toMatchObject({ status: 'trained', finished });
    expect(after(start, prepare, stop, fail).state).toMatchObject({
      status: 'failed',
      reason: 'LOSS_NOT_FINITE: the loss is NaN',
      step: 7,
    });
  });

  it('records nothing of a run that is over', () => {
    for (const history of [
      [start, prepare, finish],
      [start, fail],
      [start, end],
    ]) {
      for (const report of [prepare, firstEpoch, finish, fail, end, abandon]) {
        after(...history)
          .when(report!)
          .thenNothing();
      }
    }
  });

  it('records an epoch once, though the process that goes on tells of it again', () => {
    const history = [start, prepare, firstEpoch, die, resume, prepare];
    after(...history)
      .when(firstEpoch!)
      .thenNothing();
    after(...history)
      .when(secondEpoch!)
      .thenLike({ type: 'TrainingEpochFinished' });
    after(start, prepare, die, resume, prepare).when(firstEpoch!).thenLike({ type: 'TrainingEpochFinished' });
  });

  it('forgets the epochs that are trained again, where a checkpoint was lost', () => {
    const state = after(start, prepare, firstEpoch, secondEpoch, die, resume, prepare, firstEpoch).state;
    expect(state).toMatchObject({ epochs: [epoch], step: 10 });
  });

  it('can go on under the settings that it was begun with alone, in whatever order they are written', () => {
    const { seed, ...others } = plan.settings;
    const now = { settings: plan.settings, source: undefined, day: null };
    expect(canResume(after(start, end).state, { ...now, settings: { seed, ...others } })).toBe(true);
    expect(canResume(after(start, end).state, { ...now, settings: { ...plan.settings, seed: 2 } })).toBe(
      false,
    );
    expect(
      canResume(after(start, end).state, { ...now, settings: { ...plan.settings, features: ['return_5'] } }),
    ).toBe(false);
    expect(canResume(after(start, prepare, finish).state, now)).toBe(false);
    expect(canResume(after(start).state, now)).toBe(false);
  });

  it('can go on on the market that it was begun on alone, and not before its day', () => {
    const settings = plan.settings;
    const begun = { ...start, plan: { ...plan, source: 'demo', as_of: '2024-05-01' } };
    const on = (source: string | undefined, day: string | null): boolean =>
      canResume(after(begun, end).state, { settings, source, day });
    expect([on('demo', '2024-05-01'), on('demo', '2024-06-01'), on(undefined, null)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([on('csv', '2024-06-01'), on('demo', '2024-04-30')]).toEqual([false, false]);
    // A run that was recorded before sources were.
    expect(canResume(after(start, end).state, { settings, source: 'csv', day: null })).toBe(true);
  });

  it('any sequence of commands gives a legal history, as the table says', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...commands), { maxLength: 40 }), (sequence) => {
        let state: RunState = initialState();
        const history: TrainingEventDraft[] = [];
        for (const command of sequence) {
          const events = decideOrRefuse(command, state);
          for (const event of events) {
            const next = TRAINING_LIFECYCLE.table[state.status][event.type];
            state = evolve(state, event);
            expect(state.status).toBe(next);
          }
          history.push(...events);
        }
        expect(history.reduce(evolve, initialState())).toEqual(state);
        // Whatever has happened, it can be brought to an end.
        const ended = decide({ type: 'abandon-training', detail: null, step: null }, state);
        expect(ended).toHaveLength(isUnderWay(state.status) ? 1 : 0);
      }),
    );
  });

  it('a history that the table does not allow is corrupt', () => {
    const [started] = decide(start, initialState());
    given(TRAINING, started!, started!).isCorrupt();
    const [stopped] = decide(stop!, after(start).state);
    given(TRAINING, stopped!).isCorrupt();
  });
});
