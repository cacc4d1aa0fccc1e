import { multiply, subtract } from './arithmetic.ts';
import type { Graph } from './graph.ts';
import { reduceMean } from './reduction.ts';
import { reshape } from './rearrangement.ts';
import type { Tensor } from './tensor.ts';

/** Of all elements, as [1]. */
export function meanSquaredError(graph: Graph, predicted: Tensor, actual: Tensor): Tensor {
  const errors = subtract(graph, predicted, actual);
  const mean = reduceMean(graph, multiply(graph, errors, errors), [...errors.shape.keys()]);
  return reshape(graph, mean, [1]);
}
