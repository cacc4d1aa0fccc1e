import type { z } from 'zod';
import type { StartedRun } from '../../actors/training/training-run.ts';
import type { ModelsState } from '../../actors/training/models.ts';
import type { ModelStatusReply, TrainingRun } from '../../events/messages/models.ts';
import type { ModelSettings } from './settings.ts';
import { configuredModel } from './configuration.ts';
import type { ModelInUse } from './model-in-use.ts';
import { countParameters } from './network/parameters.ts';
import type { RunUnderWay } from './run-under-way.ts';

type Status = z.output<typeof ModelStatusReply>;

interface StatusParts {
  readonly settings: ModelSettings;
  readonly models: ModelsState;
  readonly inUse: Pick<ModelInUse, 'model' | 'fault'>;
  readonly newest: StartedRun | null;
  readonly underWay: Pick<RunUnderWay, 'progress' | 'device'> | null;
  readonly predictions: Status['predictions'];
  /** Whether weights are being loaded. */
  readonly loading: boolean;
}

/** See `ModelStatusReply`. */
export function modelStatus(parts: StatusParts): Status {
  const { settings, models, inUse, newest, underWay } = parts;
  return {
    ...configuredModel(settings),
    status: stateOf(parts),
    training_active: underWay !== null,
    device: newest?.prepared?.provider ?? 'cpu',
    amd_gpu: underWay?.device?.amd_gpu ?? false,
    parameters: countParameters(settings.spec),
    weights: inUse.model?.hash ?? null,
    saved: models.saved?.weights ?? null,
    error: inUse.fault,
    predictions: parts.predictions,
    run: newest === null ? null : runStatus(newest, underWay),
  };
}

function stateOf({ models, inUse, newest, underWay, loading }: StatusParts): Status['status'] {
  if (underWay !== null) return newest?.status === 'stopping' ? 'stopping' : 'training';
  if (loading) return 'loading';
  if (inUse.fault !== null) return 'error';
  return models.inUse?.cause ?? 'uninitialized';
}

function runStatus(
  { run, status, plan, prepared, step, epochs, finished, reason }: StartedRun,
  underWay: StatusParts['underWay'],
): z.output<typeof TrainingRun> {
  const progress = underWay?.progress ?? null;
  const last = epochs.at(-1);
  return {
    run,
    state: status,
    as_of: plan.as_of,
    device: prepared?.provider ?? 'cpu',
    fallback: prepared?.fallback ?? null,
    epoch: progress?.epoch ?? last?.epoch ?? 0,
    epochs: plan.settings.epochs,
    step: Math.max(progress?.step ?? 0, step),
    steps: prepared?.steps ?? 0,
    loss: progress?.loss ?? last?.train_loss ?? null,
    steps_per_second: progress?.steps_per_second ?? null,
    seconds_left: progress?.seconds_left ?? null,
    train: prepared?.train ?? null,
    validation: prepared?.validation ?? null,
    test: prepared?.test ?? null,
    history: [...epochs],
    scores: finished?.scores ?? null,
    reason,
  };
}
