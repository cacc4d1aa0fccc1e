import type { Graph } from '../graph/graph.ts';
import { reshape, slice } from '../graph/rearrangement.ts';
import type { Tensor } from '../graph/tensor.ts';
import { countParameters, layoutOf } from './parameters.ts';
import type { NetworkSpec } from './spec.ts';

/** Parameters by name, in the order of the layout. */
export type ParameterTensors = ReadonlyMap<string, Tensor>;

/** The parameters as slices of one vector, which is an input of the graph. */
export function slicedParameters(graph: Graph, spec: NetworkSpec, vector: Tensor): ParameterTensors {
  return new Map(
    layoutOf(spec).map(({ name, shape, offset, size }) => [
      name,
      reshape(graph, slice(graph, vector, 0, offset, offset + size), shape),
    ]),
  );
}

/**
 * The parameters as named constants of the graph.
 *
 * @throws {RangeError} for a vector that does not fit the network.
 */
export function constantParameters(graph: Graph, spec: NetworkSpec, vector: Float32Array): ParameterTensors {
  const expected = countParameters(spec);
  if (vector.length !== expected) {
    throw new RangeError(`${vector.length} parameters given, but the network has ${expected}`);
  }
  return new Map(
    layoutOf(spec).map(({ name, shape, offset, size }) => [
      name,
      graph.constant(vector.subarray(offset, offset + size), shape, name),
    ]),
  );
}
