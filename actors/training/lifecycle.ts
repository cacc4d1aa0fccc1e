import type { TrainingEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

export type TrainingStatus =
  /** No event of the run is recorded. */
  | 'idle'
  /** The run's data is being collected, and its trainer is starting. */
  | 'preparing'
  | 'training'
  /** The run was told to stop; the trainer has not ended yet. */
  | 'stopping'
  | 'trained'
  | 'failed'
  /** The run is not finished, and can be resumed from its last checkpoint. */
  | 'interrupted';

export type TrainingEventType = TrainingEvent['type'];

/** How a run may end before it is finished, whether or not somebody asked it to stop. */
const ENDS = { TrainingFailed: 'failed', TrainingInterrupted: 'interrupted' } as const;

export const TRAINING_LIFECYCLE = new Lifecycle<TrainingStatus, TrainingEventType>('training', 'idle', {
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
});

/** True while a process works on the run, or should. */
export function isUnderWay(status: TrainingStatus): boolean {
  return status === 'preparing' || status === 'training' || status === 'stopping';
}
