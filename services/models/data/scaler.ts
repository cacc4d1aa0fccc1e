import type { Scaler } from './dataset.ts';

/**
 * Mean and standard deviation (of the population) of each column over the rows that `counts` marks; a column that never
 * changes has the deviation 1.
 */
export function fitScaler(values: Float64Array, columns: number, counts: Uint8Array): Scaler {
  const mean: number[] = [];
  const deviation: number[] = [];
  for (let column = 0; column < columns; column++) {
    // From the first value on: equal values then have a deviation of exactly 0.
    const offset = values[counts.indexOf(1) * columns + column]!;
    const average = (of: (value: number) => number): number => {
      let sum = 0;
      let rows = 0;
      for (let row = 0; row < counts.length; row++) {
        if (counts[row] === 0) continue;
        sum += of(values[row * columns + column]! - offset);
        rows++;
      }
      return sum / rows;
    };
    const shift = average((value) => value);
    const spread = Math.sqrt(average((value) => (value - shift) ** 2));
    mean.push(offset + shift);
    deviation.push(spread === 0 ? 1 : spread);
  }
  return { mean, deviation };
}

/** (value - mean) / deviation, in float32. */
export function scaled(values: Float64Array, { mean, deviation }: Scaler): Float32Array {
  const columns = mean.length;
  return Float32Array.from(values, (value, at) => (value - mean[at % columns]!) / deviation[at % columns]!);
}
