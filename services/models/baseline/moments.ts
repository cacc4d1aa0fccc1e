import { setImmediate } from 'node:timers/promises';
import { OUTPUTS } from '../network/spec.ts';
import type { Matrix } from './cholesky.ts';
import type { Dataset } from '../data/dataset.ts';

/** Windows that are worked on before others get their turn: a millisecond or two. */
const TURN = 256;

/** Of windows as columns: days × features, oldest day first, as they lie in the dataset's inputs. */
export interface Moments {
  readonly windows: number;
  readonly columns: number;
  /** Σ x xᵀ. */
  readonly products: Matrix;
  /** Σ x. */
  readonly sums: Float64Array;
  /** Σ x y, an output each. */
  readonly withTargets: readonly Float64Array[];
  /** Σ y, an output each. */
  readonly targetSums: readonly number[];
}

/** Where a window of the newest `days` begins in the dataset's inputs. */
export const windowStart = (row: number, days: number, features: number): number =>
  (row - days + 1) * features;

/**
 * Sums and products over windows. Windows of consecutive rows share all but one day, so that only the products with the
 * oldest day are summed up; any other is the one a day before in both, without its first window and with a new last one.
 * (The covariance method of linear prediction: Makhoul, Linear Prediction, A Tutorial Review, 1975)
 *
 * Rejects with the signal's reason.
 */
export async function momentsOf(
  { inputs, targets, features: { length: features } }: Dataset,
  rows: Int32Array,
  days: number,
  signal: AbortSignal,
): Promise<Moments> {
  const columns = days * features;
  const products = new Float64Array(columns * columns);
  const sums = new Float64Array(columns);
  const withTargets = OUTPUTS.map(() => new Float64Array(columns));
  const targetSums = OUTPUTS.map(() => 0);
  await inTurns(rows, signal, (row) => {
    const start = windowStart(row, days, features);
    for (let column = 0; column < columns; column++) sums[column]! += inputs[start + column]!;
    for (let first = 0; first < features; first++) {
      const value = inputs[start + first]!;
      const line = first * columns;
      for (let column = first; column < columns; column++) {
        products[line + column]! += value * inputs[start + column]!;
      }
    }
    for (const [output, withTarget] of withTargets.entries()) {
      const target = targets[row * OUTPUTS.length + output]!;
      targetSums[output]! += target;
      for (let column = 0; column < columns; column++)
        withTarget[column]! += target * inputs[start + column]!;
    }
  });
  const runs = runsOf(rows).map(
    ([first, last]) => [windowStart(first, days, features), windowStart(last, days, features)] as const,
  );
  for (let a = features; a < columns; a++) {
    const line = a * columns;
    products.copyWithin(
      line + a,
      line - features * columns + a - features,
      line - features * columns + columns - features,
    );
    for (const [first, last] of runs) {
      const [gone, come] = [inputs[first + a - features]!, inputs[last + a]!];
      for (let b = a; b < columns; b++) {
        products[line + b]! += come * inputs[last + b]! - gone * inputs[first + b - features]!;
      }
    }
    await setImmediate();
    signal.throwIfAborted();
  }
  for (let a = 0; a < columns; a++) {
    for (let b = 0; b < a; b++) products[a * columns + b] = products[b * columns + a]!;
  }
  return { windows: rows.length, columns, products, sums, withTargets, targetSums };
}

/** Each of the rows, with turns for others in between. Rejects with the signal's reason. */
export async function inTurns(
  rows: Int32Array,
  signal: AbortSignal,
  work: (row: number, at: number) => void,
): Promise<void> {
  for (let at = 0; at < rows.length; at++) {
    if (at % TURN === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
    work(rows[at]!, at);
  }
}

/** First and last of each run of consecutive rows. */
function runsOf(rows: Int32Array): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const row of rows.toSorted()) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] + 1 === row) run[1] = row;
    else runs.push([row, row]);
  }
  return runs;
}
