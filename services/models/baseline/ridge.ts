import { setImmediate } from 'node:timers/promises';
import { OUTPUTS } from '../network/spec.ts';
import { cholesky, choleskySolve } from './cholesky.ts';
import type { Dataset } from '../data/dataset.ts';

/**
 * The penalties that are tried, as multiples of the number of windows: from almost none to very strong, for columns
 * with a variance of about 1.
 */
const PENALTIES = [0.001, 0.01, 0.1, 1, 10, 100];

/**
 * The most columns. With more, the normal equations take too long, so only the newest days of longer windows are used.
 */
const MOST_COLUMNS = 512;

/** A linear model of one output, for scaled inputs and targets. */
type Linear = ReturnType<typeof solve>[number];

/** The linear baselines that the network has to beat. */
interface Ridge {
  /**
   * The number of newest days of a window that are used: as many as fit into 512 columns, which are all 60 days with 8
   * features.
   */
  readonly days: number;
  /** One model for each output. */
  readonly models: readonly Linear[];
}

/**
 * Ridge regression on the flattened and scaled window; the intercept is not penalised. (Hoerl, Kennard, 1970) It is
 * fitted on the training part, and each output takes the penalty that is best on the validation part.
 *
 * The event loop gets turns in between. Rejects with the signal's reason.
 */
export async function fitRidge(dataset: Dataset, signal: AbortSignal): Promise<Ridge> {
  const days = Math.min(dataset.sequenceLength, Math.floor(MOST_COLUMNS / dataset.features.length));
  const moments = await momentsOf(dataset, dataset.train.rows, days, signal);
  const candidates: Ridge[] = [];
  const errors: number[][] = [];
  for (const penalty of PENALTIES) {
    await setImmediate();
    signal.throwIfAborted();
    const candidate = { days, models: solve(moments, penalty) };
    candidates.push(candidate);
    errors.push(await squaredErrors(candidate, dataset, dataset.validation.rows, signal));
  }
  const models = OUTPUTS.map((_, output) => {
    const ofOutput = errors.map((error) => error[output]!);
    return candidates[ofOutput.indexOf(Math.min(...ofOutput))]!.models[output]!;
  });
  return { days, models };
}

/** Predictions for the window of each row, scaled: rows × 2. Rejects with the signal's reason. */
export async function predictRidge(
  { days, models }: Ridge,
  { inputs, features }: Dataset,
  rows: Int32Array,
  signal: AbortSignal,
): Promise<Float64Array> {
  const predicted = new Float64Array(rows.length * OUTPUTS.length);
  await inTurns(rows, signal, (row, at) => {
    const start = windowStart(row, days, features.length);
    for (const [output, { intercept, weights }] of models.entries()) {
      let sum = intercept;
      for (let column = 0; column < weights.length; column++) {
        sum += weights[column]! * inputs[start + column]!;
      }
      predicted[at * OUTPUTS.length + output] = sum;
    }
  });
  return predicted;
}

/** Solves (XᵀX / n + penalty) w = Xᵀy / n for the deviations from the means. */
function solve({ windows, columns, products, sums, withTargets, targetSums }: Moments, penalty: number) {
  const means = sums.map((sum) => sum / windows);
  const matrix = products.map(
    (product, at) => product / windows - means[Math.floor(at / columns)]! * means[at % columns]!,
  );
  for (let column = 0; column < columns; column++) matrix[column * columns + column]! += penalty;
  const lower = cholesky(matrix, columns);
  return withTargets.map((products, output) => {
    const targetMean = targetSums[output]! / windows;
    const weights = choleskySolve(
      lower,
      products.map((product, column) => product / windows - means[column]! * targetMean),
    );
    const intercept = weights.reduce((rest, weight, column) => rest - weight * means[column]!, targetMean);
    /** `weights`: days × features, oldest day first. */
    return { penalty, intercept, weights };
  });
}

async function squaredErrors(
  ridge: Ridge,
  dataset: Dataset,
  rows: Int32Array,
  signal: AbortSignal,
): Promise<number[]> {
  const predicted = await predictRidge(ridge, dataset, rows, signal);
  return OUTPUTS.map((_, output) =>
    rows.reduce((sum, row, at) => {
      const [index, target] = [at * OUTPUTS.length + output, row * OUTPUTS.length + output];
      return sum + (dataset.targets[target]! - predicted[index]!) ** 2;
    }, 0),
  );
}

/** Windows that are processed between two turns of the event loop: a millisecond or two. */
const TURN = 256;

type Moments = Awaited<ReturnType<typeof momentsOf>>;

/** The index in the dataset's inputs at which a window of the newest `days` begins. */
export const windowStart = (row: number, days: number, features: number): number =>
  (row - days + 1) * features;

/**
 * Sums and products over windows. Windows of consecutive rows share all but one day, so only products with the oldest
 * day are summed directly. Every other product equals the one with both factors a day earlier, less its first window
 * and plus a new last one. (The covariance method of linear prediction: Makhoul, Linear Prediction, A Tutorial Review,
 * 1975)
 *
 * Rejects with the signal's reason.
 */
export async function momentsOf(
  { inputs, targets, features: { length: features } }: Dataset,
  rows: Int32Array,
  days: number,
  signal: AbortSignal,
) {
  /** The number of columns: days × features, oldest day first, in the order of the dataset's inputs. */
  const columns = days * features;
  /** Σ x xᵀ. */
  const products = new Float64Array(columns * columns);
  /** Σ x. */
  const sums = new Float64Array(columns);
  /** Σ x y for each output. */
  const withTargets = OUTPUTS.map(() => new Float64Array(columns));
  /** Σ y for each output. */
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

/** Calls the function for each row, with turns of the event loop in between. Rejects with the signal's reason. */
async function inTurns(
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

/** The first and last row of each run of consecutive rows. */
function runsOf(rows: Int32Array): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const row of rows.toSorted()) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] + 1 === row) run[1] = row;
    else runs.push([row, row]);
  }
  return runs;
}
