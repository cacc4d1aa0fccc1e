import type { Graph } from './graph.ts';
import { reduceSum } from './reduction.ts';
import { reshape } from './rearrangement.ts';
import { broadcast, sameShape, type Shape, type Tensor } from './tensor.ts';

export function add(graph: Graph, a: Tensor, b: Tensor): Tensor {
  const sum = elementwise(graph, 'Add', a, b);
  graph.record([a, b], [sum], (gradient) => [
    () => unbroadcast(graph, gradient, a.shape),
    () => unbroadcast(graph, gradient, b.shape),
  ]);
  return sum;
}

export function subtract(graph: Graph, a: Tensor, b: Tensor): Tensor {
  const difference = elementwise(graph, 'Sub', a, b);
  graph.record([a, b], [difference], (gradient) => [
    () => unbroadcast(graph, gradient, a.shape),
    () => unbroadcast(graph, graph.node('Neg', [gradient], gradient.shape), b.shape),
  ]);
  return difference;
}

export function multiply(graph: Graph, a: Tensor, b: Tensor): Tensor {
  const product = elementwise(graph, 'Mul', a, b);
  graph.record([a, b], [product], (gradient) => [
    () => unbroadcast(graph, multiply(graph, gradient, b), a.shape),
    () => unbroadcast(graph, multiply(graph, gradient, a), b.shape),
  ]);
  return product;
}

function elementwise(graph: Graph, operator: 'Add' | 'Sub' | 'Mul', a: Tensor, b: Tensor): Tensor {
  return graph.node(operator, [a, b], broadcast(operator, a.shape, b.shape));
}

/** Sums the gradient over the axes that the forward pass repeated. */
function unbroadcast(graph: Graph, gradient: Tensor, shape: Shape): Tensor {
  if (sameShape(gradient.shape, shape)) return gradient;
  const added = gradient.shape.length - shape.length;
  const axes = [...gradient.shape.keys()].filter(
    (axis) => axis < added || (shape[axis - added] === 1 && gradient.shape[axis] !== 1),
  );
  return reshape(graph, reduceSum(graph, gradient, axes), shape);
}
