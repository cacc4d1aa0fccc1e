import type { DraftOf, TrainingEvent } from '../../events/catalog/catalog.ts';
import { BelegError } from '../../events/errors.ts';
import { canonicalJson } from '../../events/json.ts';
import { isUnderWay, TRAINING_LIFECYCLE, type TrainingStatus } from './lifecycle.ts';

export type TrainingEventDraft = DraftOf<TrainingEvent>;

type DataOf<Type extends TrainingEvent['type']> = Omit<
  Extract<TrainingEventDraft, { type: Type }>['data'],
  'run'
>;

export type TrainingPlan = DataOf<'TrainingStarted'>;
export type Prepared = DataOf<'TrainingPrepared'>;
export type EpochFinished = DataOf<'TrainingEpochFinished'>;
type Finished = DataOf<'TrainingFinished'>;
type Failed = DataOf<'TrainingFailed'>;

/** The state of a run's stream. */
export type RunState = { readonly status: 'idle' } | StartedRun;

export interface StartedRun {
  readonly status: Exclude<TrainingStatus, 'idle'>;
  readonly run: string;
  /** The plan with which the run was started; it never changes. */
  readonly plan: TrainingPlan;
  /** The preparation of the newest process; `null` before the first one. */
  readonly prepared: Prepared | null;
  /** The last recorded step. */
  readonly step: number;
  readonly epochs: readonly EpochFinished[];
  readonly finished: Finished | null;
  /** Why the run failed or was interrupted. */
  readonly reason: string | null;
}

export type RunCommand =
  | { readonly type: 'start-training'; readonly run: string; readonly plan: TrainingPlan }
  | { readonly type: 'resume-training' }
  | { readonly type: 'stop-training' }
  /** A report of the trainer. It is not recorded after the end of the run. */
  | { readonly type: 'record-preparation'; readonly prepared: Prepared }
  | { readonly type: 'record-epoch'; readonly epoch: EpochFinished }
  | { readonly type: 'finish-training'; readonly finished: Finished }
  | { readonly type: 'fail-training'; readonly failed: Failed }
  /** The trainer has stopped, because it was asked to or because the service stops. */
  | { readonly type: 'end-training'; readonly step: number }
  /** The process that worked on the run is gone. `step` is the last known step. */
  | { readonly type: 'abandon-training'; readonly detail: string | null; readonly step: number | null };

export const initialState = (): RunState => ({ status: 'idle' });

/**
 * Applies an event.
 *
 * @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now.
 */
export function evolve(state: RunState, event: TrainingEventDraft): RunState {
  const status = TRAINING_LIFECYCLE.next(state.status, event.type) as StartedRun['status'];
  if (event.type === 'TrainingStarted') {
    const { run, ...plan } = event.data;
    return { status, run, plan, prepared: null, step: 0, epochs: [], finished: null, reason: null };
  }
  const next = { ...(state as StartedRun), status };
  switch (event.type) {
    case 'TrainingPrepared': {
      const { run: _, ...prepared } = event.data;
      return { ...next, prepared, step: prepared.step };
    }
    case 'TrainingEpochFinished': {
      const { run: _, ...data } = event.data;
      // A run without a checkpoint starts over: epochs that it reports again replace those on record.
      const before = next.epochs.filter(({ epoch }) => epoch < data.epoch);
      return { ...next, step: data.step, epochs: [...before, data] };
    }
    case 'TrainingStopRequested':
      return next;
    case 'TrainingInterrupted': {
      const { step, reason, detail } = event.data;
      return { ...next, step, reason: reasonOf(reason, detail) };
    }
    case 'TrainingResumed':
      return { ...next, reason: null };
    case 'TrainingFinished': {
      const { run: _, ...finished } = event.data;
      return { ...next, step: finished.step, finished };
    }
    case 'TrainingFailed': {
      const { step, fault, detail } = event.data;
      return { ...next, step, reason: reasonOf(fault, detail) };
    }
  }
}

const reasonOf = (word: string, detail: string | null): string =>
  detail === null || detail === '' ? word : `${word}: ${detail}`;

/**
 * Decides on a command. A second stop, and reports of the trainer after the end of a run, give no events.
 *
 * @throws {BelegError} `ALREADY_TRAINING` if the run has started, `NOT_TRAINING` if there is no run to stop or to
 * resume.
 */
export function decide(command: RunCommand, state: RunState): readonly TrainingEventDraft[] {
  switch (command.type) {
    case 'start-training':
      if (state.status !== 'idle') throw new BelegError('ALREADY_TRAINING');
      return [{ type: 'TrainingStarted', data: { run: command.run, ...command.plan } }];
    case 'resume-training':
      if (isUnderWay(state.status)) throw new BelegError('ALREADY_TRAINING');
      if (!TRAINING_LIFECYCLE.mayFollow(state.status, 'TrainingResumed'))
        throw new BelegError('NOT_TRAINING');
      return inRun(state, (run) => ({ type: 'TrainingResumed', data: { run } }));
    case 'stop-training':
      if (!isUnderWay(state.status)) throw new BelegError('NOT_TRAINING');
      return inRun(state, (run) => ({ type: 'TrainingStopRequested', data: { run } }));
    case 'record-preparation':
      return inRun(state, (run) => ({ type: 'TrainingPrepared', data: { run, ...command.prepared } }));
    case 'record-epoch':
      if (isKnown(state, command.epoch)) return [];
      return inRun(state, (run) => ({ type: 'TrainingEpochFinished', data: { run, ...command.epoch } }));
    case 'finish-training':
      return inRun(state, (run) => ({ type: 'TrainingFinished', data: { run, ...command.finished } }));
    case 'fail-training':
      return inRun(state, (run) => ({ type: 'TrainingFailed', data: { run, ...command.failed } }));
    case 'end-training': {
      const reason = state.status === 'stopping' ? 'stopped' : 'shutdown';
      const { step } = command;
      return inRun(state, (run) => ({
        type: 'TrainingInterrupted',
        data: { run, reason, detail: null, step },
      }));
    }
    case 'abandon-training': {
      const { detail } = command;
      return inRun(state, (run, { step }) => ({
        type: 'TrainingInterrupted',
        data: { run, reason: 'crashed', detail, step: command.step ?? step },
      }));
    }
  }
}

/** Whether the epoch is known. A process that resumes a run reports epochs again, since it cannot know which ones are on record. */
function isKnown(state: RunState, epoch: EpochFinished): boolean {
  const last = state.status === 'idle' ? undefined : state.epochs.at(-1);
  return last !== undefined && canonicalJson(last) === canonicalJson(epoch);
}

/** The event, if it is legal in the present status. */
function inRun(
  state: RunState,
  event: (run: string, state: StartedRun) => TrainingEventDraft,
): readonly TrainingEventDraft[] {
  if (state.status === 'idle') return [];
  const draft = event(state.run, state);
  return TRAINING_LIFECYCLE.mayFollow(state.status, draft.type) ? [draft] : [];
}

/**
 * Whether the run can be resumed with these settings: with others its weights would not be those that it was started
 * for.
 */
export function canResume(state: RunState, now: ResumableNow): state is StartedRun {
  if (state.status !== 'interrupted') return false;
  const { settings, source, as_of } = state.plan;
  return (
    canonicalJson(settings) === canonicalJson(now.settings) &&
    (source === undefined || now.source === undefined || source === now.source) &&
    // The feed may have been set back to a day before the last one that the run has seen.
    (as_of === null || now.day === null || as_of <= now.day)
  );
}

/** The present settings and, if they are known, the market's source and day. */
interface ResumableNow {
  readonly settings: TrainingPlan['settings'];
  readonly source: string | undefined;
  readonly day: string | null;
}
