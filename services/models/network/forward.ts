import { relu } from '../graph/activation.ts';
import { add, multiply } from '../graph/arithmetic.ts';
import type { Graph } from '../graph/graph.ts';
import { layerNormalization, softmax } from '../graph/normalization.ts';
import { flipped, gemm, matmul } from '../graph/product.ts';
import { reshape, slice, split, transpose } from '../graph/rearrangement.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { NetworkSpec } from './spec.ts';
import type { Weights } from './weights.ts';

/** What training does to a branch before it joins the residual stream. */
export type Dropping = (branch: Tensor) => Tensor;

/**
 * The network: scaled windows [batch, days, features] to scaled outputs [batch, 2]. Each day is projected linearly and
 * told its place, then come transformer blocks with layer normalisation before each branch (Xiong and others, On Layer
 * Normalization in the Transformer Architecture, 2020), and what the last day has become gives the outputs.
 *
 * Dropout is where the original has it: at the output of each branch (Vaswani and others, 2017, 5.4).
 */
export function forward(
  graph: Graph,
  spec: NetworkSpec,
  windows: Tensor,
  weights: Weights,
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
    const attended = attend(
      graph,
      spec,
      net.linear(`${attention}.qkv`, net.norm(`${attention}.norm`, stream)),
    );
    stream = add(graph, stream, drop(net.linear(`${attention}.output`, attended)));
    const wide = relu(graph, net.linear(`${feedforward}.wide`, net.norm(`${feedforward}.norm`, stream)));
    stream = add(graph, stream, drop(net.linear(`${feedforward}.output`, wide)));
  }
  const last = slice(graph, reshape(graph, stream, [batch, days, hidden]), 1, days - 1, days);
  return net.linear('head', net.norm('norm', reshape(graph, last, [batch, hidden])));
}

function layersOf(graph: Graph, weights: Weights) {
  return {
    linear: (name: string, rows: Tensor) =>
      gemm(graph, rows, weights.get(`${name}.weight`)!, weights.get(`${name}.bias`)!),
    norm: (name: string, rows: Tensor) =>
      layerNormalization(graph, rows, weights.get(`${name}.gain`)!, weights.get(`${name}.bias`)!),
  };
}

/** Every day looks at all days of its window: softmax(Q Kᵀ / √channels) V, head by head. (Vaswani and others, 2017) */
function attend(graph: Graph, spec: NetworkSpec, qkv: Tensor): Tensor {
  const { sequence_length: days, hidden_channels: hidden, num_heads: heads } = spec;
  const channels = hidden / heads;
  const batch = qkv.shape[0]! / days;
  // One transposition for all three of them: [3, batch, heads, days, channels].
  const parted = reshape(graph, qkv, [batch, days, 3, heads, channels]);
  const [queries, keys, values] = split(graph, transpose(graph, parted, [2, 0, 3, 1, 4]), 0, [1, 1, 1]).map(
    (part) => reshape(graph, part, [batch, heads, days, channels]),
  );
  const scaled = multiply(graph, queries!, graph.scalar(1 / Math.sqrt(channels)));
  const attention = softmax(graph, matmul(graph, scaled, flipped(graph, keys!)));
  const heard = matmul(graph, attention, values!);
  return reshape(graph, transpose(graph, heard, [0, 2, 1, 3]), [batch * days, hidden]);
}
