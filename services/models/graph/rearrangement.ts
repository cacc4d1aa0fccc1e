import type { Graph } from './graph.ts';
import { elements, sameShape, ShapeError, sizeAt, type Shape, type Tensor } from './tensor.ts';

/** Gives a tensor another shape, with the same elements in the same order. A first axis of free size stays free. */
export function reshape(graph: Graph, x: Tensor, shape: Shape): Tensor {
  if (elements(shape) !== elements(x.shape)) {
    throw new ShapeError('Reshape', 'the number of elements differs', x.shape, shape);
  }
  if (sameShape(x.shape, shape)) return x;
  const target = shape.map((size, axis) => (axis === 0 ? -1 : size));
  const reshaped = graph.node('Reshape', [x, graph.integers(target)], shape);
  graph.record([x], [reshaped], (gradient) => [() => reshape(graph, gradient, x.shape)]);
  return reshaped;
}

/** Axis `i` of the result is axis `axes[i]` of `x`. */
export function transpose(graph: Graph, x: Tensor, axes: readonly number[]): Tensor {
  const places = axes.map((_, axis) => axes.indexOf(axis));
  if (axes.length !== x.shape.length || places.includes(-1)) {
    throw new ShapeError('Transpose', `[${axes.join(', ')}] is not a permutation of its axes`, x.shape);
  }
  const shape = axes.map((axis) => x.shape[axis]!);
  const transposed = graph.node('Transpose', [x], shape, { perm: axes });
  graph.record([x], [transposed], (gradient) => [() => transpose(graph, gradient, places)]);
  return transposed;
}

/** Splits along an axis into parts of these sizes. */
export function split(graph: Graph, x: Tensor, axis: number, sizes: readonly number[]): Tensor[] {
  if (sizeAt('Split', x.shape, axis) !== sizes.reduce((sum, size) => sum + size, 0)) {
    throw new ShapeError('Split', `the size of axis ${axis} is not ${sizes.join(' + ')}`, x.shape);
  }
  const shapes = sizes.map((size) => x.shape.with(axis, size));
  const parts = graph.nodeOf('Split', [x, graph.integers(sizes)], shapes, { axis });
  graph.record([x], parts, (...gradients) => [() => concat(graph, gradients, axis)]);
  return parts;
}

/** Concatenates along an axis; all other axes must have equal sizes. */
export function concat(graph: Graph, parts: readonly Tensor[], axis: number): Tensor {
  const [first] = parts;
  if (first === undefined) throw new ShapeError('Concat', 'needs at least one part');
  const sizes = parts.map(({ shape }) => sizeAt('Concat', shape, axis));
  const shape = first.shape.with(
    axis,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  for (const part of parts) {
    if (!sameShape(part.shape.with(axis, 0), shape.with(axis, 0))) {
      throw new ShapeError('Concat', `the shapes differ in axes other than ${axis}`, first.shape, part.shape);
    }
  }
  const whole = graph.node('Concat', parts, shape, { axis });
  graph.record(parts, [whole], (gradient) => {
    let cut: Tensor[] | undefined;
    return sizes.map((_, at) => () => (cut ??= split(graph, gradient, axis, sizes))[at]!);
  });
  return whole;
}

/** A slice along an axis, from `start` to `end` (exclusive). */
export function slice(graph: Graph, x: Tensor, axis: number, start: number, end: number): Tensor {
  const size = sizeAt('Slice', x.shape, axis);
  if (start < 0 || start >= end || end > size) {
    throw new ShapeError('Slice', `axis ${axis} has no range ${start} … ${end}`, x.shape);
  }
  if (end - start === size) return x;
  const integers = (value: number) => graph.integers([value]);
  const inputs = [x, integers(start), integers(end), integers(axis)];
  const part = graph.node('Slice', inputs, x.shape.with(axis, end - start));
  graph.record([x], [part], (gradient) => [() => pad(graph, gradient, axis, start, size - end)]);
  return part;
}

/** Adds zeros along an axis, before and after its elements. */
export function pad(graph: Graph, x: Tensor, axis: number, before: number, after: number): Tensor {
  const size = sizeAt('Pad', x.shape, axis);
  const zeros = x.shape.map(() => 0);
  const pads = graph.integers([...zeros.with(axis, before), ...zeros.with(axis, after)]);
  const padded = graph.node('Pad', [x, pads], x.shape.with(axis, before + size + after));
  graph.record([x], [padded], (gradient) => [() => slice(graph, gradient, axis, before, before + size)]);
  return padded;
}
