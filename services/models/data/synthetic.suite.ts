import { dateOf, DAY_MS } from '../../../events/dates.ts';
import { gaussian, permutation } from '../network/random.ts';
import { OUTPUTS } from '../network/spec.ts';
import { assemble } from './prepare.ts';
import type { Dataset, Part } from './dataset.ts';

export interface SyntheticOptions {
  readonly seed: number;
  /** Must be at least 20. */
  readonly sequenceLength: number;
  /** Must be at least 4. */
  readonly features: number;
  /** The number of windows in each part. */
  readonly windows: { readonly train: number; readonly validation: number; readonly test: number };
  /** Whether targets are swapped among the windows of a part, so that nothing can be learnt. */
  readonly shuffled?: boolean;
}

/** Streams of random numbers. */
const INPUTS = 1;
const NOISE = 2;
const LINEAR_DAYS = 5;
const VARIANCE_DAYS = 20;

/**
 * A signal of which it is known how much can be learnt. Inputs are independent standard normal numbers; half of the
 * variance of each target is noise, so that no predictor has an R² above 0.50:
 *
 * - return: a quarter is linear in the newest five days, a quarter a product of two features: a linear one reaches 0.25.
 * - volatility: half is the mean square of a feature over 20 days: a linear one reaches 0.
 */
export function syntheticDataset(options: SyntheticOptions): Dataset {
  const { seed, sequenceLength, features, windows, shuffled = false } = options;
  // Two parts share no row.
  const ends = (from: number, count: number): Int32Array =>
    Int32Array.from({ length: count }, (_, at) => from + sequenceLength - 1 + at);
  const train = ends(0, windows.train);
  const validation = ends(train.at(-1)! + 1, windows.validation);
  const test = ends(validation.at(-1)! + 1, windows.test);
  const rows = test.at(-1)! + 1;
  const inputs = Float64Array.from({ length: rows * features }, (_, at) => gaussian(seed, INPUTS, at));
  const targets = new Float64Array(rows * OUTPUTS.length).fill(Number.NaN);
  for (const part of [train, validation, test]) {
    const order = shuffled ? permutation(part.length, seed, part[0]!) : null;
    for (const [at, row] of part.entries()) {
      const from = order === null ? row : part[order[at]!]!;
      targets.set(targetsOf(inputs, features, from, seed), row * OUTPUTS.length);
    }
  }
  return assemble({
    features: Array.from({ length: features }, (_, column) => `x${column}`),
    sequenceLength,
    tickers: ['SYNTHETIC'],
    inputs,
    targets,
    train: partOf(train),
    validation: partOf(validation),
    test: partOf(test),
  });
}

function targetsOf(inputs: Float64Array, features: number, row: number, seed: number): [number, number] {
  const input = (daysBefore: number, feature: number): number =>
    inputs[(row - daysBefore) * features + feature]!;
  const noise = (output: number): number => gaussian(seed, NOISE, row * OUTPUTS.length + output);
  let sum = 0;
  for (let day = 0; day < LINEAR_DAYS; day++) sum += input(day, 0);
  const linear = sum / Math.sqrt(LINEAR_DAYS);
  let squares = 0;
  for (let day = 0; day < VARIANCE_DAYS; day++) squares += input(day, 3) ** 2;
  // The mean of n squared standard normal numbers has mean 1 and variance 2 / n.
  const variance = (squares / VARIANCE_DAYS - 1) / Math.sqrt(2 / VARIANCE_DAYS);
  return [
    0.5 * linear + 0.5 * input(0, 1) * input(0, 2) + Math.SQRT1_2 * noise(0),
    Math.SQRT1_2 * variance + Math.SQRT1_2 * noise(1),
  ];
}

const FIRST_DAY = Date.UTC(2000, 0, 1);

/** Each row is a day. */
const dateOfRow = (row: number): string => dateOf(FIRST_DAY + row * DAY_MS);

function partOf(rows: Int32Array): Part {
  return { rows, from: dateOfRow(rows[0]!), to: dateOfRow(rows.at(-1)!) };
}
