import { multiply } from './arithmetic.ts';
import type { Graph } from './graph.ts';
import { DATA_TYPES } from './onnx.ts';
import { sameShape, ShapeError, type Tensor } from './tensor.ts';

/**
 * Keeps what the mask keeps, and raises it so that the expected sum stays; the rest is 0. Masks are fed, so that the
 * same ones can be fed again. (Srivastava and others, Dropout, 2014)
 *
 * @param share of what the mask drops, below 1.
 */
export function dropout(graph: Graph, x: Tensor, mask: Tensor, share: number): Tensor {
  if (mask.type !== 'bool' || !sameShape(mask.shape, x.shape)) {
    throw new ShapeError(
      'Dropout',
      `needs a mask with one value per element, not ${mask.type}`,
      x.shape,
      mask.shape,
    );
  }
  const kept = graph.node('Cast', [mask], x.shape, { to: DATA_TYPES[graph.precision] });
  return multiply(graph, x, multiply(graph, kept, graph.scalar(1 / (1 - share))));
}
