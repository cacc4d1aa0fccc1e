import { describe, expect, it } from 'vitest';
import type { Dataset } from './dataset.ts';
import { scoreOf } from './r-squared.ts';
import { syntheticDataset, type SyntheticOptions } from './synthetic.suite.ts';

const options: SyntheticOptions = {
  seed: 7,
  sequenceLength: 20,
  features: 4,
  windows: { train: 6_000, validation: 2_000, test: 1_000 },
};

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

const days = (row: number, count: number) => Array.from({ length: count }, (_, day) => row - day);

/** The best possible prediction for each validation window, in the scale of the targets. */
function bestGuess({ inputs, scaler, validation }: Dataset): Float64Array {
  const input = (row: number, column: number) =>
    inputs[row * 4 + column]! * scaler.inputs.deviation[column]! + scaler.inputs.mean[column]!;
  return Float64Array.from(
    [...validation.rows].flatMap((row) => {
      const linear = sum(days(row, 5).map((day) => input(day, 0))) / Math.sqrt(5);
      const squares = sum(days(row, 20).map((day) => input(day, 3) ** 2));
      const guesses = [
        0.5 * linear + 0.5 * input(row, 1) * input(row, 2),
        Math.SQRT1_2 * ((squares / 20 - 1) / Math.sqrt(0.1)),
      ];
      return guesses.map(
        (guess, output) => (guess - scaler.targets.mean[output]!) / scaler.targets.deviation[output]!,
      );
    }),
  );
}

describe('a synthetic signal', () => {
  it('can be known to one half', () => {
    const dataset = syntheticDataset(options);
    const { rows } = dataset.validation;
    const score = scoreOf(bestGuess(dataset), dataset.targets, rows);
    expect(Math.abs(score.return - 0.5)).toBeLessThan(0.04);
    expect(Math.abs(score.volatility - 0.5)).toBeLessThan(0.04);
  });

  it('is of no use where targets are shuffled; they are the same ones', () => {
    const [plain, shuffled] = [false, true].map((shuffled) => syntheticDataset({ ...options, shuffled })) as [
      Dataset,
      Dataset,
    ];
    const { rows } = shuffled.validation;
    expect(scoreOf(bestGuess(shuffled), shuffled.targets, rows).return).toBeLessThan(0);
    const targets = ({ targets, scaler: { targets: scaler } }: Dataset) =>
      [...rows].map((row) => (targets[row * 2]! * scaler.deviation[0]! + scaler.mean[0]!).toFixed(4));
    expect(targets(shuffled).join()).not.toBe(targets(plain).join());
    expect(targets(shuffled).sort()).toEqual(targets(plain).sort());
  });

  it('is the same for the same seed, and its parts share no row', () => {
    const dataset = syntheticDataset(options);
    expect(syntheticDataset(options).hash).toBe(dataset.hash);
    expect(syntheticDataset({ ...options, seed: 8 }).hash).not.toBe(dataset.hash);
    const { train, validation, test } = dataset;
    expect([train, validation, test].map(({ rows }) => rows.length)).toEqual([6_000, 2_000, 1_000]);
    expect(validation.rows[0]! - 19).toBeGreaterThan(train.rows.at(-1)!);
    expect(test.rows[0]! - 19).toBeGreaterThan(validation.rows.at(-1)!);
    expect([train.from, train.to < validation.from, validation.to < test.from]).toEqual([
      '2000-01-20',
      true,
      true,
    ]);
  });
});

describe('a score', () => {
  it('is the share of the squares about the mean of training that a prediction takes away', () => {
    // The part has the rows 2 and 0, but not the row in between.
    const targets = Float32Array.of(2, -4, 9, 9, 1, 2);
    const { return: ofReturn, volatility } = scoreOf([1, 0, 0, 0], targets, Int32Array.of(2, 0));
    // Of the return's 1 + 4 an error of 4 is left, of the volatility's 4 + 16 all of it.
    expect(ofReturn).toBeCloseTo(1 - 4 / 5, 12);
    expect(volatility).toBe(0);
  });

  it('is 0 where there is nothing to explain', () => {
    expect(scoreOf([1, 1], Float32Array.of(0, 0), Int32Array.of(0))).toEqual({ return: 0, volatility: 0 });
  });
});
