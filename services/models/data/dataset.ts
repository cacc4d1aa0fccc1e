import { OUTPUTS } from '../network/spec.ts';

/** The mean and standard deviation of each column, from the training part only. */
export interface Scaler {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** The windows of one part, each by the row of its last day. They are sorted by that day, then by ticker. */
export interface Part {
  readonly rows: Int32Array;
  /** The last day of the part's first window, `YYYY-MM-DD`. */
  readonly from: string;
  /** The last day of the part's last window, `YYYY-MM-DD`. */
  readonly to: string;
}

/**
 * The data of a training: one row for each day, ticker after ticker, oldest first. A window is `sequence_length` rows
 * of one ticker; its target is what the next day brings.
 */
export interface Dataset {
  readonly features: readonly string[];
  readonly sequenceLength: number;
  readonly tickers: readonly string[];
  /** rows × features, scaled. */
  readonly inputs: Float32Array;
  /** rows × 2 (return, volatility), scaled; NaN where there is no next day. */
  readonly targets: Float32Array;
  readonly scaler: { readonly inputs: Scaler; readonly targets: Scaler };
  /** Two parts are separated by at least the length of a window, in days of the market. */
  readonly train: Part;
  /** The part that chooses the best epoch and the penalty of ridge. */
  readonly validation: Part;
  /** The part that is used once, to score the chosen weights out of sample. */
  readonly test: Part;
  /** SHA-256 of everything, hexadecimal: a resumed run must find the same. */
  readonly hash: string;
}

/**
 * Puts `count` windows with their targets into a batch: the windows of `rows[at]`, `rows[at + 1]` …
 *
 * `x` has count × sequenceLength × features numbers, `y` count × 2; both arrays may be longer.
 */
export function fillBatch(
  { inputs, targets, features, sequenceLength }: Dataset,
  rows: ArrayLike<number>,
  at: number,
  count: number,
  x: Float32Array,
  y: Float32Array,
): void {
  const size = sequenceLength * features.length;
  for (let window = 0; window < count; window++) {
    const row = rows[at + window]!;
    const end = (row + 1) * features.length;
    x.set(inputs.subarray(end - size, end), window * size);
    y.set(targets.subarray(row * OUTPUTS.length, (row + 1) * OUTPUTS.length), window * OUTPUTS.length);
  }
}
