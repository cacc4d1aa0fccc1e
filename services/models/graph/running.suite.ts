import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Precision, Shape } from './tensor.ts';

/** Values of an input: numbers are converted to its precision, bytes to booleans. */
export interface Fed {
  readonly values: Float64Array | Float32Array | Uint8Array;
  readonly shape: Shape;
}

export type Run = (feeds: Readonly<Record<string, Fed>>) => Promise<Readonly<Record<string, Float64Array>>>;

/** Loads an ONNX file into a session of one thread, and closes it after `use`. */
export async function running<T>(
  bytes: Uint8Array,
  precision: Precision,
  use: (run: Run) => Promise<T>,
): Promise<T> {
  const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1, logSeverityLevel: 2 });
  try {
    return await use(async (feeds) => {
      const tensors = Object.entries(feeds).map(([name, fed]) => [name, tensorOf(fed, precision)] as const);
      const outputs = Object.entries(await session.run(Object.fromEntries(tensors)));
      return Object.fromEntries(
        outputs.map(([name, { data }]) => [name, Float64Array.from(data as Float32Array)]),
      );
    });
  } finally {
    await session.release();
  }
}

function tensorOf({ values, shape }: Fed, precision: Precision): Tensor {
  if (values instanceof Uint8Array) return new Tensor('bool', values, shape);
  switch (precision) {
    case 'float32':
      return new Tensor('float32', Float32Array.from(values), shape);
    case 'float64':
      return new Tensor('float64', Float64Array.from(values), shape);
  }
}

/**
 * The slope of a function at a point, along each axis, by central differences. Their error grows with the square of the
 * distance, and the rounding error with its inverse: at 1e-5 both are near 1e-10 in float64.
 */
export async function centralDifferences(
  of: (point: Float64Array) => Promise<number>,
  point: Float64Array,
): Promise<Float64Array> {
  const distance = 1e-5;
  const slopes = new Float64Array(point.length);
  for (const axis of point.keys()) {
    const [ahead, behind] = [point.slice(), point.slice()];
    ahead[axis]! += distance;
    behind[axis]! -= distance;
    slopes[axis] = ((await of(ahead)) - (await of(behind))) / (2 * distance);
  }
  return slopes;
}

/**
 * The largest difference of two elements relative to the larger one. If both are small, it is relative to a hundredth
 * of the largest of all.
 */
export function relativeError(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  const sizes = Array.from(expected, Math.abs);
  const floor = Math.max(...sizes, Number.MIN_VALUE) / 100;
  if (found.length !== expected.length) return Infinity;
  return Math.max(
    ...sizes.map(
      (size, at) => Math.abs(found[at]! - expected[at]!) / Math.max(size, Math.abs(found[at]!), floor),
    ),
  );
}
