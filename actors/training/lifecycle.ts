import type { TrainingEvent } from '../../events/catalog/catalog.ts';
import { BelegError } from '../../events/errors.ts';

export type TrainingStatus =
  /** Nothing has been recorded of it. */
  | 'idle'
  /** Its data is collected and its trainer starts. */
  | 'preparing'
  | 'training'
  /** Somebody asked it to stop; the trainer has not ended yet. */
  | 'stopping'
  | 'trained'
  | 'failed'
  /** It can go on from its last checkpoint. */
  | 'interrupted';

export type TrainingEventType = TrainingEvent['type'];

/** How a run under way may end, asked to stop or not: the trainer may be done before it hears of it. */
const ENDS = { TrainingFailed: 'failed', TrainingInterrupted: 'interrupted' } as const;

/**
 * The lifecycle of a run, written once: which event may follow in which status, and where it leads. `evolve`, `decide`
 * and the machine read it.
 */
export const TRAINING_LIFECYCLE: Readonly<
  Record<TrainingStatus, Readonly<Partial<Record<TrainingEventType, TrainingStatus>>>>
> = {
  idle: { TrainingStarted: 'preparing' },
  preparing: { TrainingPrepared: 'training', TrainingStopRequested: 'stopping', ...ENDS },
  training: {
    TrainingEpochFinished: 'training',
    TrainingStopRequested: 'stopping',
    TrainingFinished: 'trained',
    ...ENDS,
  },
  stopping: {
    TrainingPrepared: 'stopping',
    TrainingEpochFinished: 'stopping',
    TrainingFinished: 'trained',
    ...ENDS,
  },
  trained: {},
  failed: {},
  interrupted: { TrainingResumed: 'preparing' },
};

/** True while a process is at it, or should be. */
export function isUnderWay(status: TrainingStatus): boolean {
  return TRAINING_LIFECYCLE[status].TrainingInterrupted !== undefined;
}

export function mayFollow(status: TrainingStatus, type: TrainingEventType): boolean {
  return TRAINING_LIFECYCLE[status][type] !== undefined;
}

/** @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now. */
export function nextTrainingStatus(status: TrainingStatus, type: TrainingEventType): TrainingStatus {
  const next = TRAINING_LIFECYCLE[status][type];
  if (next === undefined) {
    throw new BelegError('STREAM_CORRUPT', { detail: `${type} cannot follow ${status}` });
  }
  return next;
}
