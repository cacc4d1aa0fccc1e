import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import type { Dataset } from '../data/dataset.ts';
import { initialParameters } from '../network/parameters.ts';
import { readCheckpoint, type Checkpoint } from '../weights/checkpoint.ts';
import { initialState } from './optimization.ts';
import { TrainingFailure, type TrainingJob } from './trainer-port.ts';

export const checkpointFile = (folder: string): string => join(folder, 'checkpoint.safetensors');

/**
 * Where a run begins: at its checkpoint if it is resumed and has one, else with initial weights. Rejects with
 * `CHECKPOINT_DAMAGED`, `SETTINGS_CHANGED` or `DATA_CHANGED`, or with the fault of the disk.
 */
export async function startingPoint(
  { spec, settings, folder, resume }: TrainingJob,
  dataset: Dataset,
): Promise<Checkpoint> {
  const checkpoint = resume ? await readCheckpoint(checkpointFile(folder)) : null;
  if (checkpoint === null) {
    return {
      spec,
      settings,
      features: dataset.features,
      scaler: dataset.scaler,
      dataset: dataset.hash,
      step: 0,
      ...initialState(initialParameters(spec, settings.seed)),
      best: null,
      epochs: [],
      lossSum: 0,
    };
  }
  if (!isDeepStrictEqual([checkpoint.spec, checkpoint.settings], [spec, settings])) {
    throw new TrainingFailure(
      'SETTINGS_CHANGED',
      'The checkpoint was made with other settings than this training',
    );
  }
  if (checkpoint.dataset !== dataset.hash) {
    throw new TrainingFailure('DATA_CHANGED', 'The data differs from the data of the checkpoint');
  }
  return checkpoint;
}
