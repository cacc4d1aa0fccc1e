import { MODEL_FEATURES } from '../models/data/model-features.ts';
import { initialParameters } from '../models/network/parameters.ts';
import { writeWeights } from '../models/weights/weights.ts';

export const SMALL_SPEC = {
  features: MODEL_FEATURES.length,
  sequence_length: 20,
  hidden_channels: 8,
  num_heads: 2,
  layers: 1,
  dropout: 0,
};

/** Writes the weights of a small untrained network, whatever `trainedUntil` says; returns their hash. */
export function writeSmallWeights(file: string, trainedUntil: string | null): Promise<string> {
  const columns = MODEL_FEATURES.length;
  return writeWeights(file, {
    spec: SMALL_SPEC,
    features: MODEL_FEATURES,
    scaler: {
      inputs: { mean: Array(columns).fill(0), deviation: Array(columns).fill(1) },
      targets: { mean: [0.001, 0.01], deviation: [0.001, 0.001] },
    },
    parameters: initialParameters(SMALL_SPEC, 1),
    run: trainedUntil === null ? null : 'a-run',
    trainedUntil,
    seed: 1,
    scores: null,
  });
}
