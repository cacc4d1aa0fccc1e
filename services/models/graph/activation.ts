import { add, multiply, subtract } from './arithmetic.ts';
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

/** x Φ(x), by tanh. (Hendrycks, Gimpel, Gaussian Error Linear Units, 2016) */
export function gelu(graph: Graph, x: Tensor): Tensor {
  const times = (a: Tensor, factor: number) => multiply(graph, a, graph.scalar(factor));
  const plus = (a: Tensor, summand: number) => add(graph, a, graph.scalar(summand));
  const cubic = multiply(graph, x, plus(times(multiply(graph, x, x), 0.044715), 1));
  return multiply(graph, x, times(plus(tanh(graph, times(cubic, Math.sqrt(2 / Math.PI))), 1), 0.5));
}

function tanh(graph: Graph, x: Tensor): Tensor {
  const y = graph.node('Tanh', [x], x.shape);
  graph.record([x], [y], (gradient) => [
    () => multiply(graph, gradient, subtract(graph, graph.scalar(1), multiply(graph, y, y))),
  ]);
  return y;
}
