import { OUTPUTS } from '../network/spec.ts';

/** Means and standard deviations, a column each; taken from the training part only. */
export interface Scaler {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** Windows of one part, by the row of their last day. Time-ordered by that day, then by ticker. */
export interface Part {
  readonly rows: Int32Array;
  /** Last days of its windows, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

/**
 * What a network is trained on: rows of days, the tickers one after the other, each oldest first. A window is
 * `sequence_length` rows up to and with its last one, all of one ticker; its target is what the day after brings.
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
  /** Between any two parts there is a gap of at least a window, in days of the market. */
  readonly train: Part;
  /** Chooses the best epoch, and ridge's penalty. */
  readonly validation: Part;
  /** Used once, for the chosen weights: the out-of-sample scores. */
  readonly test: Part;
  /** SHA-256, hexadecimal, of all of it: a resumed run must find the same. */
  readonly hash: string;
}

/**
 * Puts `count` windows and their targets into a batch: those of `rows[at]`, `rows[at + 1]` …
 *
 * x: count × sequenceLength × features, y: count × 2; both may be longer.
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
