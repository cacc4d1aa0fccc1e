import { multiply } from './arithmetic.ts';
import type { Graph } from './graph.ts';
import { DATA_TYPES } from './onnx.ts';
import type { Tensor } from './tensor.ts';

/** The greater one of x and 0; its slope at 0 is 0. */
export function relu(graph: Graph, x: Tensor): Tensor {
  const y = graph.node('Relu', [x], x.shape);
  graph.record([x], [y], (gradient) => [
    () => {
      // Not `Sign`: ONNX Runtime takes twice as long for it.
      const positive = graph.node('Greater', [y, graph.scalar(0)], x.shape, {}, 'bool');
      const slope = graph.node('Cast', [positive], x.shape, { to: DATA_TYPES[graph.precision] });
      return multiply(graph, gradient, slope);
    },
  ]);
  return y;
}
