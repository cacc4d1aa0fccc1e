import type { Graph } from './graph.ts';
import { reduceSum } from './reduction.ts';
import { reshape, transpose } from './rearrangement.ts';
import { sameShape, ShapeError, type Tensor } from './tensor.ts';

/** rows [N, K] × weights [K, M] + bias [M]: a linear layer. */
export function gemm(graph: Graph, rows: Tensor, weights: Tensor, bias: Tensor): Tensor {
  const [inner, columns] = weights.shape;
  if (weights.shape.length !== 2 || rows.shape.length !== 2 || rows.shape[1] !== inner) {
    throw new ShapeError('Gemm', 'needs [N, K] and [K, M]', rows.shape, weights.shape);
  }
  if (!sameShape(bias.shape, [columns!])) {
    throw new ShapeError('Gemm', 'needs one bias a column', weights.shape, bias.shape);
  }
  const product = graph.node('Gemm', [rows, weights, bias], [rows.shape[0]!, columns!]);
  graph.record([rows, weights, bias], [product], (gradient) => [
    () => graph.node('Gemm', [gradient, weights], rows.shape, { transB: 1 }),
    () => graph.node('Gemm', [rows, gradient], weights.shape, { transA: 1 }),
    () => reshape(graph, reduceSum(graph, gradient, [0]), bias.shape),
  ]);
  return product;
}

/** a […, M, K] × b […, K, N], matrix by matrix of equal leading axes. */
export function matmul(graph: Graph, a: Tensor, b: Tensor): Tensor {
  const rank = a.shape.length;
  const [leading, inner] = [a.shape.slice(0, -2), a.shape[rank - 1]];
  if (rank < 2 || !sameShape(leading, b.shape.slice(0, -2)) || inner !== b.shape[rank - 2]) {
    throw new ShapeError('MatMul', 'needs […, M, K] and […, K, N]', a.shape, b.shape);
  }
  const product = graph.node('MatMul', [a, b], [...a.shape.slice(0, -1), b.shape[rank - 1]!]);
  graph.record([a, b], [product], (gradient) => [
    () => matmul(graph, gradient, flipped(graph, b)),
    () => matmul(graph, flipped(graph, a), gradient),
  ]);
  return product;
}

/** Every matrix transposed. */
export function flipped(graph: Graph, x: Tensor): Tensor {
  const axes = [...x.shape.keys()];
  return transpose(graph, x, [...axes.slice(0, -2), axes.length - 1, axes.length - 2]);
}
