import { setImmediate } from 'node:timers/promises';
import { OUTPUTS } from '../network/spec.ts';
import { cholesky, choleskySolve } from './cholesky.ts';
import type { Dataset } from '../data/dataset.ts';
import { inTurns, momentsOf, windowStart, type Moments } from './moments.ts';

/** Times the number of windows; columns have a variance of about 1. From next to none to nearly the mean alone. */
const PENALTIES = [0.001, 0.01, 0.1, 1, 10, 100];

/** Normal equations of more take too long: of longer windows only the newest days are looked at. */
const MOST_COLUMNS = 512;

/** A linear model of an output, for scaled inputs and targets. */
interface Linear {
  readonly penalty: number;
  readonly intercept: number;
  /** days × features, oldest day first. */
  readonly weights: Float64Array;
}

/** What the network has to be better than. */
interface Ridge {
  /** The newest ones of a window that it looks at: all that make 512 columns, with 8 features the whole of 60. */
  readonly days: number;
  /** An output each. */
  readonly models: readonly Linear[];
}

/**
 * Ridge regression on the flattened window, scaled as the network sees it; the intercept is not penalised. (Hoerl, Kennard,
 * 1970) Fitted on the training part; of a few penalties the best on validation is taken, for each output by itself.
 *
 * Others get their turn in between. Rejects with the signal's reason.
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

/** Of each row's window, scaled: rows × 2. Rejects with the signal's reason. */
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

/** Of the deviations from the means: (XᵀX / n + penalty) w = Xᵀy / n. */
function solve(
  { windows, columns, products, sums, withTargets, targetSums }: Moments,
  penalty: number,
): Linear[] {
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
