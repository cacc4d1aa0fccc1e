import { assign, emit, enqueueActions, fromCallback, fromPromise, setup } from 'xstate';
import { backoff, RETRY_PAUSES } from '../../events/retry-pauses.ts';
import { isBelegError } from '../../events/errors.ts';
import { statesOf } from '../lifecycle.ts';
import { faultIn, notProvided, type Fault } from '../machine-parts.ts';
import { TRAINING_LIFECYCLE, type TrainingEventType } from './lifecycle.ts';
import type { RunCommand } from './training-run.ts';

export type TrainingMachineEvent =
  /** Recorded in the run's stream. */
  | { readonly type: TrainingEventType }
  /** A report of the work that is to be recorded. */
  | { readonly type: 'REPORT'; readonly command: RunCommand }
  /** The work is over; nothing of it runs any more. */
  | { readonly type: 'ENDED'; readonly command: RunCommand }
  /** The service stops, or another process has taken over. */
  | { readonly type: 'SHUTDOWN' };

/** The messages of the machine to the work. */
export interface StopWork {
  readonly type: 'STOP';
}

export type TrainingNotice =
  /** Reported to the log: something waits for the record. */
  | { readonly type: 'record-delayed'; readonly error: unknown }
  /** The record cannot be written by this process any more. */
  | { readonly type: 'lost'; readonly error: unknown };

interface Context {
  /** Reports of the trainer that are not yet on record. */
  readonly reports: readonly RunCommand[];
  readonly over: boolean;
  readonly failures: number;
}

/**
 * One run under way: its lifecycle as the record tells it, the work, and what of it goes on record. It is to be started
 * where the record is: see `startedAt`.
 * The work goes on while the store is away, and what it tells is recorded in its order once that is back. It is told to
 * stop once the wish is on record, or by `SHUTDOWN`. The machine is done when the work is over and its end on record.
 *
 * `work` (collects the data, trains, and tells) and `record` (decides and appends; rejects with `STORE_UNAVAILABLE` while
 * the store is away, and with anything else where there is no going on) come by `provide`.
 */
export const trainingMachine = setup({
  types: {
    context: {} as Context,
    events: {} as TrainingMachineEvent,
    emitted: {} as TrainingNotice,
  },
  actors: {
    work: fromCallback<StopWork>(() => {
      throw new Error('this actor must be given with provide()');
    }),
    record: fromPromise<void, { command: RunCommand }>(notProvided),
  },
  actions: {
    stopWork: enqueueActions(({ context, enqueue }) => {
      if (!context.over) enqueue.sendTo('work', { type: 'STOP' });
    }),
    queue: assign(({ context }, command: RunCommand) => ({ reports: [...context.reports, command] })),
    unqueue: assign({ reports: ({ context }) => context.reports.slice(1), failures: 0 }),
    noteOver: assign({ over: true }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    tellDelay: emit((_, { error }: Fault) => ({ type: 'record-delayed' as const, error })),
    tellLost: emit((_, { error }: Fault) => ({ type: 'lost' as const, error })),
  },
  guards: {
    hasReports: ({ context }) => context.reports.length > 0,
    isOver: ({ context }) => context.over,
    isAway: (_, { error }: Fault) => isBelegError(error, 'STORE_UNAVAILABLE'),
  },
  delays: {
    pause: ({ context }) => backoff(context.failures, RETRY_PAUSES.trainingReport),
  },
}).createMachine({
  id: 'training',
  type: 'parallel',
  context: { reports: [], over: false, failures: 0 },
  states: {
    run: {
      initial: TRAINING_LIFECYCLE.initial,
      // An interrupted run goes on in another machine.
      states: statesOf(TRAINING_LIFECYCLE, { interrupted: { type: 'final' } }),
    },
    work: {
      initial: 'going',
      states: {
        going: {
          invoke: { id: 'work', src: 'work' },
          on: {
            REPORT: { actions: { type: 'queue', params: ({ event }) => event.command } },
            ENDED: {
              target: 'over',
              actions: ['noteOver', { type: 'queue', params: ({ event }) => event.command }],
            },
            TrainingStopRequested: { actions: 'stopWork' },
            SHUTDOWN: { actions: 'stopWork' },
          },
        },
        over: { type: 'final' },
      },
    },
    record: {
      initial: 'waiting',
      states: {
        waiting: {
          // Both are queued by the region `work`.
          on: { REPORT: {}, ENDED: {} },
          always: [
            { guard: 'hasReports', target: 'appending' },
            { guard: 'isOver', target: 'complete' },
          ],
        },
        appending: {
          invoke: {
            src: 'record',
            input: ({ context }) => ({ command: context.reports[0]! }),
            onDone: { target: 'waiting', actions: 'unqueue' },
            onError: [
              {
                guard: { type: 'isAway', params: faultIn },
                target: 'delayed',
                actions: ['countFailure', { type: 'tellDelay', params: faultIn }],
              },
              {
                target: 'lost',
                actions: ['stopWork', { type: 'tellLost', params: faultIn }],
              },
            ],
          },
        },
        delayed: { after: { pause: 'appending' } },
        /** The next process finds the run unfinished. */
        lost: {},
        complete: { type: 'final' },
      },
    },
  },
});
