import type { TrainingPlan } from '../../actors/training/training-run.ts';
import type { ModelSettings } from './settings.ts';
import type { Scaler } from './data/dataset.ts';
import { MODEL_FEATURES } from './data/model-features.ts';
import { initialParameters } from './network/parameters.ts';
import { OUTPUTS } from './network/spec.ts';
import type { Weights } from './weights/weights.ts';

type Settings = Pick<ModelSettings, 'spec' | 'training'>;

/** The configured sizes in the model's status, which do not depend on its state. */
export function configuredModel({ spec, training }: Settings) {
  const { hidden_channels, num_heads, layers, sequence_length, dropout } = spec;
  return {
    model_name: 'beleg-transformer',
    hidden_channels,
    num_heads,
    layers,
    sequence_length,
    dropout,
    ...training,
    features: [...MODEL_FEATURES],
    mixed_precision: false,
    precision: 'float32',
  };
}

/** The settings that are recorded with a run, which can only be resumed with the same ones. */
export function recordedSettings({ spec, training }: Settings): TrainingPlan['settings'] {
  const { features: _, ...shape } = spec;
  return { features: [...MODEL_FEATURES], ...shape, ...training };
}

const unscaled = (columns: number): Scaler => ({
  mean: Array.from({ length: columns }, () => 0),
  deviation: Array.from({ length: columns }, () => 1),
});

/** The untrained network. Its scaler leaves figures unchanged. */
export function initialWeights({ spec, training: { seed } }: Settings): Weights {
  return {
    spec,
    features: MODEL_FEATURES,
    scaler: { inputs: unscaled(spec.features), targets: unscaled(OUTPUTS.length) },
    parameters: initialParameters(spec, seed),
    run: null,
    trainedUntil: null,
    seed,
    scores: null,
  };
}
