import type { Graph } from './graph.ts';
import { elements, ShapeError, sizeAt, type Tensor } from './tensor.ts';

/** Sums over these axes, which are kept with size 1. */
export function reduceSum(graph: Graph, x: Tensor, axes: readonly number[]): Tensor {
  const sum = reduce(graph, 'ReduceSum', x, axes);
  graph.record([x], [sum], (gradient) => [() => expand(graph, gradient, x)]);
  return sum;
}

/** Means over these axes, which are kept with size 1. */
export function reduceMean(graph: Graph, x: Tensor, axes: readonly number[]): Tensor {
  const mean = reduce(graph, 'ReduceMean', x, axes);
  const share = elements(mean.shape) / elements(x.shape);
  graph.record([x], [mean], (gradient) => [
    () => expand(graph, graph.node('Mul', [gradient, graph.scalar(share)], gradient.shape), x),
  ]);
  return mean;
}

function reduce(
  graph: Graph,
  operator: 'ReduceSum' | 'ReduceMean',
  x: Tensor,
  axes: readonly number[],
): Tensor {
  for (const axis of axes) sizeAt(operator, x.shape, axis);
  // ONNX reads an empty list of axes as all axes.
  if (axes.length === 0) throw new ShapeError(operator, 'needs at least one axis', x.shape);
  const shape = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
  return graph.node(operator, [x, graph.integers(axes)], shape, { keepdims: 1 });
}

function expand(graph: Graph, gradient: Tensor, { shape }: Tensor): Tensor {
  return graph.node('Expand', [gradient, graph.integers(shape)], shape);
}
