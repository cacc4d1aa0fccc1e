import { Graph } from '../graph/graph.ts';
import { concat, reshape } from '../graph/rearrangement.ts';
import { elements, type Precision, type Shape, type Tensor, sameShape, ShapeError } from '../graph/tensor.ts';
import { forward } from './forward.ts';
import { adamw } from './optimizer.ts';
import { countParameters, layoutOf } from './parameters.ts';
import { OUTPUTS, type NetworkSpec } from './spec.ts';
import { slicedParameters } from './parameter-tensors.ts';
import { multiply, subtract } from '../graph/arithmetic.ts';
import { reduceMean } from '../graph/reduction.ts';
import { DATA_TYPES } from '../graph/onnx.ts';

/** The mask of a dropout: a `bool` input that is filled anew before each step. */
export interface Mask {
  readonly name: string;
  readonly shape: Shape;
  readonly size: number;
}

/**
 * One step of training: forward, backward, clipping, AdamW.
 *
 * Inputs: `p`, `m`, `v` [parameters], the vectors of parameters and both moments; `x` [batch, days, features] and `y`
 * [batch, 2], both scaled; `hp` [3], as `hyperparameters` gives it; and the masks, if there is dropout.
 *
 * Outputs: `p2`, `m2`, `v2` [parameters], the vectors after the step; `loss` [1], the mean squared error before it;
 * `norm` [1], the gradient's norm before clipping. A buffer must not be both input and output of one run.
 */
export function trainingGraph(
  spec: NetworkSpec,
  batch: number,
  { precision = 'float32' }: { readonly precision?: Precision } = {},
) {
  const graph = new Graph(precision);
  const { parameters, gradient, loss, masks } = differentiated(graph, spec, batch);
  const vector = [countParameters(spec)];
  const state = { parameters, first: graph.input('m', vector), second: graph.input('v', vector) };
  const decays = new Float32Array(countParameters(spec));
  for (const { offset, size, decay } of layoutOf(spec)) if (decay) decays.fill(1, offset, offset + size);
  const after = adamw(graph, state, gradient, graph.input('hp', [3]), graph.constant(decays, vector));
  graph.output('p2', after.parameters);
  graph.output('m2', after.first);
  graph.output('v2', after.second);
  graph.output('loss', loss);
  graph.output('norm', after.norm);
  return { bytes: graph.encoded(), masks };
}

/** The network and its loss, forward and backward. */
export function differentiated(graph: Graph, spec: NetworkSpec, batch: number) {
  const parameters = graph.input('p', [countParameters(spec)]);
  const x = graph.input('x', [batch, spec.sequence_length, spec.features]);
  const y = graph.input('y', [batch, OUTPUTS.length]);
  const weights = slicedParameters(graph, spec, parameters);
  for (const weight of weights.values()) graph.variable(weight);

  const masks: Mask[] = [];
  const drop = (branch: Tensor) => {
    if (spec.dropout === 0) return branch;
    const mask = { name: `mask${masks.length}`, shape: branch.shape, size: elements(branch.shape) };
    masks.push(mask);
    return dropout(graph, branch, graph.input(mask.name, mask.shape, { type: 'bool' }), spec.dropout);
  };
  const predicted = forward(graph, spec, x, weights, drop);
  const loss = meanSquaredError(graph, predicted, y);
  const gradients = graph.gradients(loss, [...weights.values()]);
  const vectors = gradients.map((gradient) => reshape(graph, gradient, [elements(gradient.shape)]));
  return { parameters, gradient: concat(graph, vectors, 0), loss, masks };
}

/** The mean over all elements, as [1]. */
export function meanSquaredError(graph: Graph, predicted: Tensor, actual: Tensor): Tensor {
  const errors = subtract(graph, predicted, actual);
  const mean = reduceMean(graph, multiply(graph, errors, errors), [...errors.shape.keys()]);
  return reshape(graph, mean, [1]);
}

/**
 * Keeps the elements that the mask marks, scaled up so that the expected sum stays the same; the others become 0. Masks
 * are inputs, so that a step can be repeated with the same masks. (Srivastava and others, Dropout, 2014)
 *
 * @param share the share that the mask drops, below 1.
 */
export function dropout(graph: Graph, x: Tensor, mask: Tensor, share: number): Tensor {
  if (mask.type !== 'bool' || !sameShape(mask.shape, x.shape)) {
    throw new ShapeError(
      'Dropout',
      `needs a mask with one value per element, not ${mask.type}`,
      x.shape,
      mask.shape,
    );
  }
  const kept = graph.node('Cast', [mask], x.shape, { to: DATA_TYPES[graph.precision] });
  return multiply(graph, x, multiply(graph, kept, graph.scalar(1 / (1 - share))));
}
