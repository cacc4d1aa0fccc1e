import { assign, emit, enqueueActions, fromCallback, fromPromise, setup } from 'xstate';
import { backoff, RETRY_PAUSES } from '../../events/retry-pauses.ts';
import { isBelegError } from '../../events/errors.ts';
import { statesOf } from '../lifecycle.ts';
import { faultIn, notProvided, type Fault } from '../machine-parts.ts';
import { TRAINING_LIFECYCLE, type TrainingEventType } from './lifecycle.ts';
import type { RunCommand } from './training-run.ts';

export type TrainingMachineEvent =
  /** An event was recorded in the run's stream. */
  | { readonly type: TrainingEventType }
  /** A report of the work, which is to be recorded. */
  | { readonly type: 'REPORT'; readonly command: RunCommand }
  /** The work is over; nothing of the run is executed any more. */
  | { readonly type: 'ENDED'; readonly command: RunCommand }
  /** The service stops, or another process has taken over. */
  | { readonly type: 'SHUTDOWN' };

/** The messages of the machine to the work. */
export interface StopWork {
  readonly type: 'STOP';
}

export type TrainingNotice =
  /** A report waits for the store. This is only for the log. */
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
 * One run: its lifecycle by the record, the work, and the reports that are to be recorded. Start it in the recorded
 * status: see `startedAt`. The work goes on while the store is away; its reports are recorded in order once the store
 * is back. The work is told to stop once a stop is recorded, or by `SHUTDOWN`. The machine ends when the work is over
 * and the end is recorded.
 *
 * `work` (collects the data, trains, and reports) and `record` (decides and appends; rejects with `STORE_UNAVAILABLE`
 * while the store is away, and with any other error if the run cannot go on) come by `provide`.
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
      // An interrupted run is resumed by another machine.
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
          // Here nothing happens: the region `work` puts both into its queue.
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
