import { OUTPUTS } from '../network/spec.ts';
import type { Score } from './dataset.ts';

/**
 * R² out of sample, against the training part's mean and not the part's own, which nobody can know beforehand:
 * 1 - Σ(actual - predicted)² / Σ(actual - mean of training)². (Campbell, Thompson, Predicting Excess Stock Returns Out of
 * Sample, 2008). Below 0 is worse than that mean, which itself has 0 by definition.
 *
 * Both in the dataset's scale, where the training part's mean is 0.
 *
 * @example const sums = new ScoreSums(); sums.add(predictions, y, 32); sums.score.return
 */
export class ScoreSums {
  readonly #errors = OUTPUTS.map(() => 0);
  readonly #squares = OUTPUTS.map(() => 0);

  /** So many windows' outputs: windows × 2 each; both may be longer. */
  add(predicted: ArrayLike<number>, actual: ArrayLike<number>, windows: number): void {
    for (let at = 0; at < windows * OUTPUTS.length; at++) {
      const output = at % OUTPUTS.length;
      this.#errors[output]! += (actual[at]! - predicted[at]!) ** 2;
      this.#squares[output]! += actual[at]! ** 2;
    }
  }

  /** 0 where all targets are the training part's mean: there was nothing to explain. */
  get score(): Score {
    const [ofReturn = 0, ofVolatility = 0] = this.#squares.map((squares, output) =>
      squares === 0 ? 0 : 1 - this.#errors[output]! / squares,
    );
    return { return: ofReturn, volatility: ofVolatility };
  }
}

/** Of predicting the training part's mean: what the formula makes of it. */
export const MEAN_SCORE: Score = { return: 0, volatility: 0 };

/** Of predictions of all windows of a part, by its rows: rows × 2, in the dataset's scale. */
export function scoreOf(predicted: ArrayLike<number>, targets: Float32Array, rows: Int32Array): Score {
  const actual = new Float32Array(rows.length * OUTPUTS.length);
  for (const [at, row] of rows.entries()) {
    actual.set(targets.subarray(row * OUTPUTS.length, (row + 1) * OUTPUTS.length), at * OUTPUTS.length);
  }
  const sums = new ScoreSums();
  sums.add(predicted, actual, rows.length);
  return sums.score;
}
