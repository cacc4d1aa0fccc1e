import { ADAMW } from '../../services/models/network/optimizer.ts';
import { initialParameters, layoutOf } from '../../services/models/network/parameters.ts';
import { gaussian } from '../../services/models/network/random.ts';
import { learningRate } from '../../services/models/network/learning-rate.ts';
import { OUTPUTS, type NetworkSpec } from '../../services/models/network/spec.ts';
import type { Numbers, Task } from './task.ts';

/** Without dropout, which every library draws in its own way. */
export const REFERENCE: NetworkSpec = {
  features: 8,
  sequence_length: 60,
  hidden_channels: 64,
  num_heads: 4,
  layers: 2,
  dropout: 0,
};

/** So long that the rate rises as it does in a training and stays practically the same afterwards. */
export const SCHEDULE = { learning_rate: 1e-3, steps: 1_000_000 } as const;
const LEARNING_RATES = 200;

const SEED = 42;
/** Streams of the seed that no parameter has. */
const INPUTS = 10_001;
const TARGETS = 10_002;

export function taskOf(
  spec: NetworkSpec,
  { batch_size, batches }: Pick<Task, 'batch_size' | 'batches'>,
): Task {
  return {
    spec,
    batch_size,
    batches,
    outputs: OUTPUTS.length,
    parameters: layoutOf(spec),
    learning_rates: Array.from({ length: LEARNING_RATES }, (_, at) =>
      learningRate(SCHEDULE, at + 1, SCHEDULE.steps),
    ),
    optimizer: ADAMW,
  };
}

/** Initial parameters as ours are, and noise to learn from: what is learnt makes no difference to how fast. */
export function numbersOf({ spec, batch_size, batches, outputs }: Task): Numbers {
  const windows = batches * batch_size;
  const noise = (stream: number, length: number) =>
    Float32Array.from({ length }, (_, index) => gaussian(SEED, stream, index));
  return {
    parameters: initialParameters(spec, SEED),
    inputs: noise(INPUTS, windows * spec.sequence_length * spec.features),
    targets: noise(TARGETS, windows * outputs),
  };
}
