import type { Graph } from './graph.ts';
import { reduceSum } from './reduction.ts';
import { reshape } from './rearrangement.ts';
import { sameShape, ShapeError, type Tensor } from './tensor.ts';

/** rows [N, K] × weights [K, M] + bias [M]: a linear layer. */
export function gemm(graph: Graph, rows: Tensor, weights: Tensor, bias: Tensor): Tensor {
  const [inner, columns] = weights.shape;
  if (weights.shape.length !== 2 || rows.shape.length !== 2 || rows.shape[1] !== inner) {
    throw new ShapeError('Gemm', 'needs [N, K] and [K, M]', rows.shape, weights.shape);
  }
  if (!sameShape(bias.shape, [columns!])) {
    throw new ShapeError('Gemm', 'needs one bias per column', weights.shape, bias.shape);
  }
  const product = graph.node('Gemm', [rows, weights, bias], [rows.shape[0]!, columns!]);
  graph.record([rows, weights, bias], [product], (gradient) => [
    () => graph.node('Gemm', [gradient, weights], rows.shape, { transB: 1 }),
    () => graph.node('Gemm', [rows, gradient], weights.shape, { transA: 1 }),
    () => reshape(graph, reduceSum(graph, gradient, [0]), bias.shape),
  ]);
  return product;
}

/** a […, M, K] × b […, K, N]: a product of matrices for each index of the leading axes, which must be equal. */
export function matmul(graph: Graph, a: Tensor, b: Tensor): Tensor {
  const [rows, inner] = matrixOf('MatMul', a);
  const [height, columns] = matrixOf('MatMul', b);
  const leading = a.shape.slice(0, -2);
  if (inner !== height || !sameShape(leading, b.shape.slice(0, -2))) {
    throw new ShapeError('MatMul', 'needs […, M, K] and […, K, N]', a.shape, b.shape);
  }
  const product = graph.node('MatMul', [a, b], [...leading, rows, columns]);
  graph.record([a, b], [product], (gradient) => [
    () => matmulTransposed(graph, gradient, b),
    () => matmul(graph, flipped(graph, a), gradient),
  ]);
  return product;
}

/**
 * a […, M, K] × bᵀ, b […, N, K]. This is an operator of its own and no `matmul` of a transposed b: the gradient of that
 * would transpose after a product, which ONNX Runtime does not fuse with the product.
 */
export function matmulTransposed(graph: Graph, a: Tensor, b: Tensor): Tensor {
  const [rows, inner] = matrixOf('MatMul', a);
  const [columns, width] = matrixOf('MatMul', b);
  const leading = a.shape.slice(0, -2);
  if (inner !== width || !sameShape(leading, b.shape.slice(0, -2))) {
    throw new ShapeError('MatMul', 'needs […, M, K] and […, N, K]', a.shape, b.shape);
  }
  const product = graph.node('MatMul', [a, flipped(graph, b)], [...leading, rows, columns]);
  graph.record([a, b], [product], (gradient) => [
    () => matmul(graph, gradient, b),
    () => matmul(graph, flipped(graph, gradient), a),
  ]);
  return product;
}

function matrixOf(operator: string, { shape }: Tensor): readonly [number, number] {
  const [height, width] = shape.slice(-2);
  if (height === undefined || width === undefined) throw new ShapeError(operator, 'is not a matrix', shape);
  return [height, width];
}

/** Transposes every matrix. It has no gradient, so it is only used within operators that have their own. */
function flipped(graph: Graph, x: Tensor): Tensor {
  const [height, width] = matrixOf('Transpose', x);
  const axes = [...x.shape.keys()];
  const perm = [...axes.slice(0, -2), axes.length - 1, axes.length - 2];
  return graph.node('Transpose', [x], [...x.shape.slice(0, -2), width, height], { perm });
}
