import { multiply, subtract } from './arithmetic.ts';
import type { Graph } from './graph.ts';
import { reduceMean, reduceSum } from './reduction.ts';
import { reshape } from './rearrangement.ts';
import { sameShape, ShapeError, type Tensor } from './tensor.ts';

/** Added to a variance so that it is never 0, as in PyTorch. */
const EPSILON = 1e-5;

/** Softmax along the last axis. */
export function softmax(graph: Graph, x: Tensor): Tensor {
  const last = x.shape.length - 1;
  const y = graph.node('Softmax', [x], x.shape, { axis: last });
  // The gradient: dx = y (dy - Σ dy y).
  graph.record([x], [y], (gradient) => [
    () => {
      const weighted = multiply(graph, gradient, y);
      return subtract(graph, weighted, multiply(graph, y, reduceSum(graph, weighted, [last])));
    },
  ]);
  return y;
}

/**
 * Scales to mean 0 and variance 1 along the last axis, then multiplies by gamma and adds beta; these two have one value
 * for each column. (Ba, Kiros, Hinton, Layer Normalization, 2016)
 */
export function layerNormalization(graph: Graph, x: Tensor, gamma: Tensor, beta: Tensor): Tensor {
  const last = x.shape.length - 1;
  for (const { shape } of [gamma, beta]) {
    if (!sameShape(shape, x.shape.slice(-1))) {
      throw new ShapeError('LayerNormalization', 'needs one gamma and one beta per column', x.shape, shape);
    }
  }
  const { y, mean, inverse } = normalized(graph, x, gamma, beta);
  graph.record([x, gamma, beta], [y], (gradient) => {
    const rows = [...x.shape.keys()].slice(0, last);
    const columns = (of: Tensor) => reshape(graph, reduceSum(graph, of, rows), gamma.shape);
    const standard = multiply(graph, subtract(graph, x, mean), inverse);
    return [
      // The gradient: dx = (g - mean(g) - x̂ mean(g x̂)) / σ, where g = dy γ.
      () => {
        const scaled = multiply(graph, gradient, gamma);
        const along = reduceMean(graph, multiply(graph, scaled, standard), [last]);
        const centred = subtract(graph, scaled, reduceMean(graph, scaled, [last]));
        return multiply(graph, subtract(graph, centred, multiply(graph, standard, along)), inverse);
      },
      () => columns(multiply(graph, gradient, standard)),
      () => columns(gradient),
    ];
  });
  return y;
}

function normalized(graph: Graph, x: Tensor, gamma: Tensor, beta: Tensor) {
  const last = x.shape.length - 1;
  const moment = x.shape.with(last, 1);
  switch (graph.precision) {
    case 'float32': {
      const attributes = { axis: last, epsilon: { float: EPSILON } };
      const shapes = [x.shape, moment, moment];
      const [y, mean, inverse] = graph.nodeOf('LayerNormalization', [x, gamma, beta], shapes, attributes);
      return { y: y!, mean: mean!, inverse: inverse! };
    }
    // For a float64 input ONNX's own operator would still calculate mean and deviation in float32.
    case 'float64': {
      const inputs = [x, graph.integers([last])];
      const mean = graph.node('ReduceMean', inputs, moment, { keepdims: 1 });
      const centred = graph.node('Sub', [x, mean], x.shape);
      const squares = graph.node('Mul', [centred, centred], x.shape);
      const variance = graph.node('ReduceMean', [squares, inputs[1]!], moment, { keepdims: 1 });
      const raised = graph.node('Add', [variance, graph.scalar(EPSILON)], moment);
      const inverse = graph.node('Reciprocal', [graph.node('Sqrt', [raised], moment)], moment);
      const standard = graph.node('Mul', [centred, inverse], x.shape);
      const y = graph.node('Add', [graph.node('Mul', [standard, gamma], x.shape), beta], x.shape);
      return { y, mean, inverse };
    }
  }
}
