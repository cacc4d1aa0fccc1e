import { Graph } from '../graph/graph.ts';
import type { Precision } from '../graph/tensor.ts';
import type { NetworkSpec } from './spec.ts';
import { differentiated } from './training-graph.ts';

/**
 * A graph for checking gradients. Inputs: `p`, `x`, `y` and the masks, as in training. Outputs: `loss` [1] and
 * `gradient` [parameters], not clipped.
 */
export function gradientGraph(
  spec: NetworkSpec,
  batch: number,
  { precision = 'float32' }: { precision?: Precision } = {},
) {
  const graph = new Graph(precision);
  const { gradient, loss, masks } = differentiated(graph, spec, batch);
  graph.output('loss', loss);
  graph.output('gradient', gradient);
  return { bytes: graph.encoded(), masks };
}
