import { add, multiply, subtract } from '../graph/arithmetic.ts';
import { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { Scaler } from '../data/dataset.ts';
import { forward } from './forward.ts';
import { countParameters } from './parameters.ts';
import { OUTPUTS, type NetworkSpec } from './spec.ts';
import { constantParameters, slicedParameters } from './parameter-tensors.ts';

interface InferenceOptions {
  /** The number of windows in one run; `any` leaves it open. */
  readonly batch: number | 'any';
  /** The parameters to store in the graph; without them the graph has an input `p` [parameters]. */
  readonly parameters?: Float32Array;
  /** With a scaler the graph takes and returns unscaled figures; without one, scaled ones. */
  readonly scaler?: { readonly inputs: Scaler; readonly targets: Scaler };
}

/**
 * An ONNX file from windows to predictions, in float32. Inputs: `x` [batch, days, features], oldest day first, and `p`
 * if the parameters are not in the graph. Output: `prediction` [batch, 2], return and volatility. With `parameters` and
 * `scaler` it needs nothing else, and is `model.onnx`.
 *
 * @throws {RangeError} parameters that are not of this network, or a standard deviation is not greater than 0.
 */
export function inferenceGraph(
  spec: NetworkSpec,
  { batch, parameters, scaler }: InferenceOptions,
): Uint8Array<ArrayBuffer> {
  for (const { deviation } of Object.values(scaler ?? {})) {
    if (!deviation.every((value) => value > 0))
      throw new RangeError('a standard deviation is not greater than 0');
  }
  const graph = new Graph('float32');
  const size = batch === 'any' ? { anyFirst: 'batch' } : {};
  // The example size for an open number of windows. Shapes are checked with it, and 1 would fit shapes that are wrong.
  const windows = batch === 'any' ? 3 : batch;
  const x = graph.input('x', [windows, spec.sequence_length, spec.features], size);
  const weights =
    parameters === undefined
      ? slicedParameters(graph, spec, graph.input('p', [countParameters(spec)]))
      : constantParameters(graph, spec, parameters);
  const scaled = scaler === undefined ? x : standardized(graph, x, scaler.inputs);
  const outputs = forward(graph, spec, scaled, weights);
  graph.output('prediction', scaler === undefined ? outputs : restored(graph, outputs, scaler.targets), size);
  return graph.encoded();
}

function standardized(graph: Graph, x: Tensor, { mean, deviation }: Scaler): Tensor {
  const columns = [x.shape.at(-1)!];
  const inverse = deviation.map((value) => 1 / value);
  const centred = subtract(graph, x, graph.constant(mean, columns));
  return multiply(graph, centred, graph.constant(inverse, columns));
}

function restored(graph: Graph, outputs: Tensor, { mean, deviation }: Scaler): Tensor {
  const columns = [OUTPUTS.length];
  const spread = multiply(graph, outputs, graph.constant(deviation, columns));
  return add(graph, spread, graph.constant(mean, columns));
}
