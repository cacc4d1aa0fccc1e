import { OUTPUTS } from '../network/spec.ts';
import type { Dataset, Scaler } from '../data/dataset.ts';
import { numbersOf } from './sealed-file.ts';
import type { Tensor } from './safetensors.ts';

type Scalers = Dataset['scaler'];

const columns = (numbers: readonly number[]): Tensor => ({
  dtype: 'F64',
  shape: [numbers.length],
  data: Float64Array.from(numbers),
});

/** The scaler as tensors: `scaler.inputs.mean` and so on. */
export function scalerTensors({ inputs, targets }: Scalers): [name: string, tensor: Tensor][] {
  return [
    ['scaler.inputs.mean', columns(inputs.mean)],
    ['scaler.inputs.deviation', columns(inputs.deviation)],
    ['scaler.targets.mean', columns(targets.mean)],
    ['scaler.targets.deviation', columns(targets.deviation)],
  ];
}

/**
 * Reads the scaler.
 *
 * @throws {SafetensorsError} if a tensor is missing or has another shape.
 */
export function readScaler(tensors: ReadonlyMap<string, Tensor>, features: number): Scalers {
  const scaler = (part: keyof Scalers, size: number): Scaler => ({
    mean: [...numbersOf(tensors, `scaler.${part}.mean`, 'F64', [size])],
    deviation: [...numbersOf(tensors, `scaler.${part}.deviation`, 'F64', [size])],
  });
  return { inputs: scaler('inputs', features), targets: scaler('targets', OUTPUTS.length) };
}
