import { dropout } from '../graph/dropout.ts';
import { Graph } from '../graph/graph.ts';
import { meanSquaredError } from '../graph/loss.ts';
import { concat, reshape } from '../graph/rearrangement.ts';
import { elements, type Precision, type Shape, type Tensor } from '../graph/tensor.ts';
import { forward } from './forward.ts';
import { adamw } from './optimizer.ts';
import { countParameters, layoutOf } from './parameters.ts';
import { OUTPUTS, type NetworkSpec } from './spec.ts';
import { slicedParameters } from './parameter-tensors.ts';

/** What dropout keeps: a `bool` input to be filled afresh before each step. */
export interface Mask {
  readonly name: string;
  readonly shape: Shape;
  readonly size: number;
}

interface TrainingGraph {
  /** An ONNX file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** None without dropout. */
  readonly masks: readonly Mask[];
}

interface Options {
  readonly precision?: Precision;
}

/**
 * One step of training: forward, backward, clipping, AdamW.
 *
 * Inputs: `p`, `m`, `v` [parameters], the vectors of parameters and both moments; `x` [batch, days, features] and
 * `y` [batch, 2], both scaled; `hp` [3], as `hyperparameters` gives it; the masks.
 * Outputs: `p2`, `m2`, `v2` [parameters], the vectors after the step; `loss` [1], the mean squared error before it;
 * `norm` [1], the gradient's norm before clipping. A buffer must not be input and output of one run.
 */
export function trainingGraph(
  spec: NetworkSpec,
  batch: number,
  { precision = 'float32' }: Options = {},
): TrainingGraph {
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

/**
 * To check gradients by. Inputs: `p`, `x`, `y` and the masks, as in training. Outputs: `loss` [1] and `gradient`
 * [parameters], not clipped.
 */
export function gradientGraph(
  spec: NetworkSpec,
  batch: number,
  { precision = 'float32' }: Options = {},
): TrainingGraph {
  const graph = new Graph(precision);
  const { gradient, loss, masks } = differentiated(graph, spec, batch);
  graph.output('loss', loss);
  graph.output('gradient', gradient);
  return { bytes: graph.encoded(), masks };
}

function differentiated(graph: Graph, spec: NetworkSpec, batch: number) {
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
