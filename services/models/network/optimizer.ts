import type { Graph } from '../graph/graph.ts';
import { split } from '../graph/rearrangement.ts';
import { broadcast, type Tensor } from '../graph/tensor.ts';

/** The settings of AdamW, which are PyTorch's defaults, and the limit for clipping. */
export const ADAMW = {
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  /** The highest norm of the gradient of all parameters together. */
  clip: 1,
} as const;

/** Vectors with one element for each parameter. */
interface State {
  readonly parameters: Tensor;
  /** The running mean of gradients. */
  readonly first: Tensor;
  readonly second: Tensor;
}

/**
 * One step of AdamW. (Loshchilov, Hutter, Decoupled Weight Decay Regularization, 2019)
 *
 * @param hyper [3]: learning rate, 1 / (1 - beta1^step), 1 / (1 - beta2^step).
 * @param decays a number for each parameter: 1 if weight decay applies to it, otherwise 0.
 * @returns the state after the step, and the gradient's norm before clipping, [1].
 */
export function adamw(
  graph: Graph,
  { parameters, first, second }: State,
  gradient: Tensor,
  hyper: Tensor,
  decays: Tensor,
): State & { readonly norm: Tensor } {
  const { beta1, beta2, epsilon, weightDecay, clip } = ADAMW;
  const vector = parameters.shape;
  const node = (operator: string, a: Tensor, b: Tensor) =>
    graph.node(operator, [a, b], broadcast(operator, a.shape, b.shape));
  const number = (value: number) => graph.scalar(value);
  const average = (old: Tensor, now: Tensor, beta: number) =>
    node('Add', node('Mul', old, number(beta)), node('Mul', now, number(1 - beta)));
  const [rate, firstCorrection, secondCorrection] = split(graph, hyper, 0, [1, 1, 1]);

  const squares = graph.node('ReduceSumSquare', [gradient, graph.integers([0])], [1], { keepdims: 1 });
  const norm = graph.node('Sqrt', [squares], [1]);
  // Clips as PyTorch's `clip_grad_norm_` does.
  const tooHigh = node('Div', number(clip), node('Add', norm, number(1e-6)));
  const clipped = node('Mul', gradient, node('Min', tooHigh, number(1)));

  const newFirst = average(first, clipped, beta1);
  const newSecond = average(second, node('Mul', clipped, clipped), beta2);
  const spread = graph.node('Sqrt', [node('Mul', newSecond, secondCorrection!)], vector);
  const step = node('Mul', newFirst, node('Mul', rate!, firstCorrection!));
  const update = node('Div', step, node('Add', spread, number(epsilon)));
  const decay = node('Mul', decays, node('Mul', rate!, number(weightDecay)));
  const decayed = node('Sub', parameters, node('Mul', parameters, decay));
  return { parameters: node('Sub', decayed, update), first: newFirst, second: newSecond, norm };
}
