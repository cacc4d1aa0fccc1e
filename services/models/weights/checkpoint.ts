import { z } from 'zod';
import { Count } from '../../../events/schemas.ts';
import { writeDurably } from '../../../kb/snapshot/durable-file.ts';
import type { Dataset } from '../data/dataset.ts';
import { countParameters } from '../network/parameters.ts';
import { NetworkSpec, TrainingSettings } from '../network/spec.ts';
import { EpochResult, TrainingFailure } from '../training/trainer-port.ts';
import { SafetensorsError, type Tensor } from './safetensors.ts';
import { readScaler, scalerTensors } from './scaler.ts';
import { decodeSealed, encodeSealed, numbersOf, readSealed } from './sealed-file.ts';

const Best = z.object({ epoch: Count, validationLoss: z.number() });
const Description = z.object({
  spec: NetworkSpec,
  /** The settings include the seed, of which all random numbers are functions. */
  settings: TrainingSettings,
  features: z.array(z.string()).readonly(),
  /** The hash of the dataset: a run cannot be resumed with another one. */
  dataset: z.string(),
  /** The completed steps of the whole run. */
  step: Count,
  best: Best.nullable(),
  /** The results of the epochs so far. */
  epochs: z.array(EpochResult).readonly(),
  /** The sum of the losses of the completed steps in the present epoch. */
  lossSum: z.number(),
});

/** Everything that a run needs to go on as if it had never stopped. */
export interface Checkpoint extends Readonly<Omit<z.output<typeof Description>, 'best'>> {
  readonly scaler: Dataset['scaler'];
  readonly parameters: Float32Array;
  /** The moments of AdamW, each as long as the parameters. */
  readonly moments: { readonly first: Float32Array; readonly second: Float32Array };
  /** The epoch with the lowest validation loss so far, with its parameters; `null` before the first epoch has ended. */
  readonly best: (z.output<typeof Best> & { readonly parameters: Float32Array }) | null;
}

const KIND = { name: 'beleg-checkpoint-1', description: Description };

const vector = (data: Float32Array): Tensor => ({ dtype: 'F32', shape: [data.length], data });

/**
 * Writes the file so that after a crash either the old checkpoint or this one is there. Rejects with the disk's fault.
 */
export async function writeCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  const { scaler, parameters, moments, best, ...description } = checkpoint;
  const tensors = new Map([
    ...scalerTensors(scaler),
    ['parameters', vector(parameters)],
    ['moments.first', vector(moments.first)],
    ['moments.second', vector(moments.second)],
  ]);
  if (best !== null) tensors.set('best', vector(best.parameters));
  const described = best && { epoch: best.epoch, validationLoss: best.validationLoss };
  await writeDurably(file, encodeSealed(KIND, { ...description, best: described }, tensors));
}

/**
 * Reads a checkpoint; `null` if there is no file. Rejects with `CHECKPOINT_DAMAGED` if it is damaged, and with the
 * fault of the disk.
 */
export async function readCheckpoint(file: string): Promise<Checkpoint | null> {
  try {
    const bytes = await readSealed(file);
    return bytes === undefined ? null : decodeCheckpoint(bytes);
  } catch (error) {
    if (!(error instanceof SafetensorsError)) throw error;
    throw new TrainingFailure('CHECKPOINT_DAMAGED', `The checkpoint is damaged: ${error.message}`, {
      cause: error,
    });
  }
}

function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const { description, tensors } = decodeSealed(KIND, bytes);
  const shape = [countParameters(description.spec)];
  const read = (name: string): Float32Array => numbersOf(tensors, name, 'F32', shape);
  const { best } = description;
  return {
    ...description,
    scaler: readScaler(tensors, description.features.length),
    parameters: read('parameters'),
    moments: { first: read('moments.first'), second: read('moments.second') },
    best: best && { ...best, parameters: read('best') },
  };
}
