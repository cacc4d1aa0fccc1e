export type Shape = readonly number[];

/** The precision in which a graph computes. */
export type Precision = 'float32' | 'float64';

export type ElementType = Precision | 'int64' | 'bool';

/** A value of a graph under construction; nothing is computed yet. */
export interface Tensor {
  readonly name: string;
  readonly shape: Shape;
  readonly type: ElementType;
}

/** Shapes do not fit an operator. It is thrown while the graph is built. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';

  constructor(operator: string, reason: string, ...shapes: readonly Shape[]) {
    super(`${operator} ${shapes.map((shape) => `[${shape.join(', ')}]`).join(' and ')}: ${reason}`);
  }
}

export function elements(shape: Shape): number {
  return shape.reduce((product, size) => product * size, 1);
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((size, axis) => size === b[axis]);
}

/**
 * The size of an axis.
 *
 * @throws {ShapeError} for an axis that the shape does not have.
 */
export function sizeAt(operator: string, shape: Shape, axis: number): number {
  const size = shape[axis];
  if (size === undefined) throw new ShapeError(operator, `has no axis ${axis}`, shape);
  return size;
}

/**
 * The common shape of two tensors, from the last axis on; axes of size 1 are repeated.
 * (https://github.com/onnx/onnx/blob/main/docs/Broadcasting.md)
 *
 * @throws {ShapeError} for sizes that differ and are not 1.
 */
export function broadcast(operator: string, a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    const left = a[axis - rank + a.length] ?? 1;
    const right = b[axis - rank + b.length] ?? 1;
    if (left !== right && left !== 1 && right !== 1) {
      throw new ShapeError(operator, `sizes ${left} and ${right} cannot be broadcast`, a, b);
    }
    return left === 1 ? right : left;
  });
}
