import type { z } from 'zod';
import type { Score as ScoreSchema } from '../../../events/catalog/models.ts';
import { OUTPUTS } from '../network/spec.ts';

/** The R² of each output on a part: 1 is perfect, 0 is as good as the training part's mean. */
export type Score = z.output<typeof ScoreSchema>;

/**
 * R² out of sample: 1 - Σ(actual - predicted)² / Σ(actual - mean of training)². It uses the training part's mean,
 * because nobody can know the part's own mean in advance. (Campbell, Thompson, Predicting Excess Stock Returns Out of
 * Sample, 2008) It is below 0 for predictions that are worse than that mean, and 0 if all targets equal the mean.
 *
 * `predicted` has the predictions for all windows of a part, in the order of `rows`: rows × 2, in the dataset's scale,
 * in which that mean is 0.
 */
export function scoreOf(predicted: ArrayLike<number>, targets: Float32Array, rows: Int32Array): Score {
  const ofOutput = (output: number): number => {
    let errors = 0;
    let squares = 0;
    for (const [at, row] of rows.entries()) {
      const actual = targets[row * OUTPUTS.length + output]!;
      errors += (actual - predicted[at * OUTPUTS.length + output]!) ** 2;
      squares += actual ** 2;
    }
    return squares === 0 ? 0 : 1 - errors / squares;
  };
  return { return: ofOutput(0), volatility: ofOutput(1) };
}
