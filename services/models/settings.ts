import { join } from 'node:path';
import { z } from 'zod';
import { MODEL_FEATURES } from './data/model-features.ts';
import type { NetworkSpec, TrainingSettings } from './network/spec.ts';
import { PROVIDERS } from './training/trainer-port.ts';
import { decimal, whole, wholeOrNull } from '../foundation/settings-fields.ts';

/** The settings of the model that predicts returns, and of its training. */
export const TrainingVariables = {
  TD_MODEL_SEQUENCE_LENGTH: whole(4, 512, 60).describe(
    'days in a window; saved weights only fit the network size they were trained with',
  ),
  TD_MODEL_HIDDEN_CHANNELS: whole(8, 512, 64).describe(
    'hidden channels; must be a multiple of the number of heads',
  ),
  TD_MODEL_NUM_HEADS: whole(1, 16, 4).describe('number of attention heads'),
  TD_MODEL_LAYERS: whole(1, 8, 2).describe('number of layers'),
  TD_MODEL_DROPOUT: decimal('a share', { min: 0, max: 0.9 }, '0.1').describe('dropout during training'),
  TD_MODEL_BATCH_SIZE: whole(1, 1_024, 32).describe('windows per training step'),
  TD_MODEL_EPOCHS: whole(1, 1_000, 10).describe('number of epochs'),
  TD_MODEL_LEARNING_RATE: decimal('a rate', { min: 0.000_001, max: 1 }, '0.001').describe('learning rate'),
  TD_MODEL_SEED: whole(0, 999_999_999, 1).describe(
    'random seed: the same seed and data give exactly the same weights',
  ),
  TD_MODEL_PROVIDER: z
    .enum(PROVIDERS, `must be one of ${PROVIDERS.join(', ')}`)
    .default('cpu')
    .describe(
      'device to train on: `cpu`, `webgpu`, `cuda` or `dml`; if it cannot be used, `cpu` is used and the log says why',
    ),
  TD_MODEL_THREADS: wholeOrNull(0, 256).meta({
    description: 'threads used for training',
    default: 'number of processors minus one',
  }),
};

export type ModelSettings = ReturnType<typeof readModelSettings>;

export function readModelSettings(
  variables: z.output<z.ZodObject<typeof TrainingVariables>>,
  dataDir: string,
) {
  const spec: NetworkSpec = {
    features: MODEL_FEATURES.length,
    sequence_length: variables.TD_MODEL_SEQUENCE_LENGTH,
    hidden_channels: variables.TD_MODEL_HIDDEN_CHANNELS,
    num_heads: variables.TD_MODEL_NUM_HEADS,
    layers: variables.TD_MODEL_LAYERS,
    dropout: Number(variables.TD_MODEL_DROPOUT),
  };
  const training: TrainingSettings = {
    batch_size: variables.TD_MODEL_BATCH_SIZE,
    epochs: variables.TD_MODEL_EPOCHS,
    learning_rate: Number(variables.TD_MODEL_LEARNING_RATE),
    seed: variables.TD_MODEL_SEED,
  };
  return {
    spec,
    training,
    /** The device on which training computes. */
    provider: variables.TD_MODEL_PROVIDER,
    /** Threads of training; `null` means one less than there are cores, at least one. */
    threads: variables.TD_MODEL_THREADS,
    /** The folder of weights, runs and their checkpoints. */
    folder: join(dataDir, 'models'),
  };
}

/** Faults in how variables are combined. */
export function modelFaults(env: Readonly<Record<string, string>>): string[] {
  const channels = Number(env['TD_MODEL_HIDDEN_CHANNELS'] ?? 64);
  const heads = Number(env['TD_MODEL_NUM_HEADS'] ?? 4);
  if (channels % heads !== 0) {
    return [`TD_MODEL_HIDDEN_CHANNELS: must be a multiple of TD_MODEL_NUM_HEADS, which is ${heads}`];
  }
  return [];
}
