import { stdout } from 'node:process';
import { ADAMW } from '../optimizer.ts';
import { initialParameters, layoutOf } from '../parameters.ts';
import { fillMask, gaussian } from '../random.ts';
import type { NetworkSpec } from '../spec.ts';
import { trainingGraph } from '../training-graph.ts';

/** A network small enough that the gradients of all of its parameters can be kept in a file. */
export const SPEC: NetworkSpec = {
  features: 4,
  sequence_length: 6,
  hidden_channels: 8,
  num_heads: 2,
  layers: 2,
  dropout: 0.2,
};
export const BATCH = 3;
/** The learning rate of each step. */
export const LEARNING_RATES = [0.01, 0.003] as const;

/** All values are exact in float32; no bias is 0, no gain is 1, and the gradient is large enough to be clipped. */
export const PARAMETERS = initialParameters(SPEC, 1).map((value, at) => value + 0.1 * gaussian(2, 0, at));
export const X = numbers(3, BATCH * SPEC.sequence_length * SPEC.features, 1);
export const Y = numbers(4, BATCH * 2, 2);

/** The same masks in each step. */
export const MASKS = trainingGraph(SPEC, BATCH).masks.map(({ name, shape, size }, stream) => {
  const values = new Uint8Array(size);
  fillMask(values, 5, 0, stream, SPEC.dropout);
  return { name, shape, values };
});

function numbers(seed: number, count: number, deviation: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: count }, (_, at) => deviation * gaussian(seed, 0, at));
}

// Prints the example for gradients.py, which is beside this file.
if (import.meta.main) {
  const masks = MASKS.map(({ shape, values }) => ({ shape, values: [...values] }));
  const example = {
    spec: SPEC,
    batch: BATCH,
    layout: layoutOf(SPEC),
    adamw: ADAMW,
    rates: LEARNING_RATES,
    masks,
  };
  stdout.write(JSON.stringify({ ...example, parameters: [...PARAMETERS], x: [...X], y: [...Y] }));
}
