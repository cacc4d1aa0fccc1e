import { z } from 'zod';
import { Scores } from '../../../events/catalog/models.ts';
import { SessionDate } from '../../../events/catalog/trading.ts';
import { BelegError } from '../../../events/errors.ts';
import { writeDurably } from '../../../kb/snapshot/durable-file.ts';
import type { Dataset } from '../data/dataset.ts';
import { countParameters, layoutOf } from '../network/parameters.ts';
import { NetworkSpec } from '../network/spec.ts';
import { SafetensorsError, type Tensor } from './safetensors.ts';
import { readScaler, scalerTensors } from './scaler.ts';
import { contentHash, decodeSealed, encodeSealed, numbersOf, readSealed } from './sealed-file.ts';

const Description = z.object({
  spec: NetworkSpec,
  /** The names of a window's columns, in order. */
  features: z.array(z.string()).readonly(),
  /** The run that trained the weights; `null` for initial weights. */
  run: z.string().nullable(),
  /**
   * The last day of the windows that were used to train or to choose the best epoch. A prediction from a window that
   * ends on this day or earlier is in sample. The day after it was only used as a target.
   */
  trainedUntil: SessionDate.nullable(),
  seed: z.int().nonnegative(),
  /** Scores on unseen days; `null` if nothing was trained. */
  scores: Scores.nullable(),
});

/** Everything that inference needs, and the run that it comes from. */
export interface Weights extends Readonly<z.output<typeof Description>> {
  readonly scaler: Dataset['scaler'];
  /** All parameters in one vector, in the order of `layoutOf`. In the file each has its name and shape. */
  readonly parameters: Float32Array;
}

const KIND = { name: 'beleg-weights-1', description: Description };

/**
 * Writes the file so that it survives a crash; returns its content hash (SHA-256, hexadecimal). Rejects with the fault
 * of the disk.
 */
export async function writeWeights(file: string, weights: Weights): Promise<string> {
  const { scaler, parameters, ...description } = weights;
  const tensors = new Map<string, Tensor>(scalerTensors(scaler));
  for (const { name, shape, offset, size } of layoutOf(weights.spec)) {
    tensors.set(name, { dtype: 'F32', shape, data: parameters.subarray(offset, offset + size) });
  }
  const bytes = encodeSealed(KIND, description, tensors);
  await writeDurably(file, bytes);
  return contentHash(bytes);
}

/**
 * Reads weights. Rejects with `WEIGHTS_MISSING` if there is no file, with `WEIGHTS_DAMAGED` if it is damaged or does
 * not have the expected hash, and with the fault of the disk.
 */
export async function readWeights(
  file: string,
  expectedHash?: string,
): Promise<{ weights: Weights; hash: string }> {
  try {
    const bytes = await readSealed(file);
    if (bytes === undefined) throw new BelegError('WEIGHTS_MISSING');
    const hash = contentHash(bytes);
    if (expectedHash !== undefined && hash !== expectedHash) {
      throw new BelegError('WEIGHTS_DAMAGED', {
        detail: 'The weights file is not the one that was saved',
      });
    }
    return { weights: decodeWeights(bytes), hash };
  } catch (error) {
    if (!(error instanceof SafetensorsError)) throw error;
    throw new BelegError('WEIGHTS_DAMAGED', {
      detail: `The saved weights are damaged: ${error.message}`,
      cause: error,
    });
  }
}

function decodeWeights(bytes: Uint8Array): Weights {
  const { description, tensors } = decodeSealed(KIND, bytes);
  const { spec, features } = description;
  if (features.length !== spec.features)
    throw new SafetensorsError('the number of features does not match its spec');
  const parameters = new Float32Array(countParameters(spec));
  for (const { name, shape, offset } of layoutOf(spec)) {
    parameters.set(numbersOf(tensors, name, 'F32', shape), offset);
  }
  const scaler = readScaler(tensors, features.length);
  const { inputs, targets } = scaler;
  const numbers = [parameters, inputs.mean, inputs.deviation, targets.mean, targets.deviation];
  if (!numbers.every((part) => part.every(Number.isFinite))) {
    throw new SafetensorsError('some of them are not finite numbers');
  }
  return { ...description, scaler, parameters };
}

/**
 * Checks that the weights fit this spec and these features. `dropout` may differ, because it has no weights.
 *
 * @throws {BelegError} `WEIGHTS_MISMATCH` with what differs.
 */
export function assertFits(
  weights: Pick<Weights, 'spec' | 'features'>,
  spec: NetworkSpec,
  features: readonly string[],
): void {
  const shape = ['sequence_length', 'hidden_channels', 'num_heads', 'layers'] as const;
  const differences = shape
    .filter((name) => weights.spec[name] !== spec[name])
    .map((name) => `${name} ${weights.spec[name]} instead of ${spec[name]}`);
  if (weights.features.join() !== features.join()) {
    differences.push(`features ${weights.features.join(', ')} instead of ${features.join(', ')}`);
  }
  if (differences.length > 0) {
    throw new BelegError('WEIGHTS_MISMATCH', { detail: `The saved weights have ${differences.join('; ')}` });
  }
}
