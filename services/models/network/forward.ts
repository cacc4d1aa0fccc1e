import { add, multiply } from '../graph/arithmetic.ts';
import type { Graph } from '../graph/graph.ts';
import { layerNormalization, softmax } from '../graph/normalization.ts';
import { gemm, matmul, matmulTransposed } from '../graph/product.ts';
import { reshape, slice, split, transpose } from '../graph/rearrangement.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { NetworkSpec } from './spec.ts';
import type { ParameterTensors } from './parameter-tensors.ts';
import { DATA_TYPES } from '../graph/onnx.ts';

/** Dropout that training applies to a branch before it joins the residual stream. */
type Dropping = (branch: Tensor) => Tensor;

/**
 * The network: scaled windows [batch, days, features] to scaled outputs [batch, 2]. Each day is projected linearly and
 * gets its position. Then come transformer blocks with layer normalisation before each branch (Xiong and others, On
 * Layer Normalization in the Transformer Architecture, 2020), and the outputs are computed from the last day.
 *
 * Dropout is placed as in the original: at the output of each branch (Vaswani and others, 2017, 5.4).
 */
export function forward(
  graph: Graph,
  spec: NetworkSpec,
  windows: Tensor,
  weights: ParameterTensors,
  drop: Dropping = (branch) => branch,
): Tensor {
  const { features, sequence_length: days, hidden_channels: hidden, layers } = spec;
  const batch = windows.shape[0]!;
  const net = layersOf(graph, weights);

  const projected = net.linear('input', reshape(graph, windows, [batch * days, features]));
  const placed = add(graph, reshape(graph, projected, [batch, days, hidden]), weights.get('positions')!);
  let stream = reshape(graph, placed, [batch * days, hidden]);
  for (let block = 0; block < layers; block++) {
    const attention = `block${block}.attention`;
    const feedforward = `block${block}.feedforward`;
    // In the last block only the last day is used, so only that day needs a query.
    const asking = block === layers - 1 ? 1 : days;
    const qkv = net.linear(`${attention}.qkv`, net.norm(`${attention}.norm`, stream));
    const attended = net.linear(`${attention}.output`, attend(graph, spec, qkv, asking));
    stream = add(graph, lastDays(graph, stream, days, asking), drop(attended));
    const wide = relu(graph, net.linear(`${feedforward}.wide`, net.norm(`${feedforward}.norm`, stream)));
    stream = add(graph, stream, drop(net.linear(`${feedforward}.output`, wide)));
  }
  return net.linear('head', net.norm('norm', stream));
}

function layersOf(graph: Graph, weights: ParameterTensors) {
  return {
    linear: (name: string, rows: Tensor) =>
      gemm(graph, rows, weights.get(`${name}.weight`)!, weights.get(`${name}.bias`)!),
    norm: (name: string, rows: Tensor) =>
      layerNormalization(graph, rows, weights.get(`${name}.gain`)!, weights.get(`${name}.bias`)!),
  };
}

/**
 * Attention of the last `asking` days of a window over all its days: softmax(Q Kᵀ / √channels) V for each head.
 * (Vaswani and others, 2017, 3.2)
 */
function attend(graph: Graph, spec: NetworkSpec, qkv: Tensor, asking: number): Tensor {
  const { sequence_length: days, hidden_channels: hidden, num_heads: heads } = spec;
  const channels = hidden / heads;
  const batch = qkv.shape[0]! / days;
  // One transposition serves query, key and value: [3, batch, heads, days, channels].
  const parted = reshape(graph, qkv, [batch, days, 3, heads, channels]);
  const [queries, keys, values] = split(graph, transpose(graph, parted, [2, 0, 3, 1, 4]), 0, [1, 1, 1]).map(
    (part) => reshape(graph, part, [batch, heads, days, channels]),
  );
  const asked = slice(graph, queries!, 2, days - asking, days);
  const scores = multiply(
    graph,
    matmulTransposed(graph, asked, keys!),
    graph.scalar(1 / Math.sqrt(channels)),
  );
  const heard = matmul(graph, softmax(graph, scores), values!);
  return reshape(graph, transpose(graph, heard, [0, 2, 1, 3]), [batch * asking, hidden]);
}

/** The rows of the last days of each window. */
function lastDays(graph: Graph, rows: Tensor, days: number, last: number): Tensor {
  if (last === days) return rows;
  const [count, columns] = rows.shape as [number, number];
  const windows = reshape(graph, rows, [count / days, days, columns]);
  return reshape(graph, slice(graph, windows, 1, days - last, days), [(count / days) * last, columns]);
}

/** max(x, 0), with slope 0 at 0. */
export function relu(graph: Graph, x: Tensor): Tensor {
  const y = graph.node('Relu', [x], x.shape);
  graph.record([x], [y], (gradient) => [
    () => {
      // A comparison is used, because `Sign` would take twice as long in ONNX Runtime.
      const positive = graph.node('Greater', [y, graph.scalar(0)], x.shape, {}, 'bool');
      const slope = graph.node('Cast', [positive], x.shape, { to: DATA_TYPES[graph.precision] });
      return multiply(graph, gradient, slope);
    },
  ]);
  return y;
}
