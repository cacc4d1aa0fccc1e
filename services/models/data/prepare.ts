import { createHash } from 'node:crypto';
import { TrainingFailure } from '../training/trainer-port.ts';
import type { TickerBars } from './bars.ts';
import type { Dataset, Part, Scaler } from './dataset.ts';
import { MODEL_FEATURES } from './model-features.ts';
import { PARTS, splitByTime } from './split-by-time.ts';
import { marketRows, type Window } from './windows.ts';
import { OUTPUTS } from '../network/spec.ts';

/**
 * Makes the data of a training from split-adjusted bars.
 *
 * @throws {TrainingFailure} `TOO_LITTLE_DATA` if a part would have no window.
 */
export function prepareDataset(
  bars: readonly TickerBars[],
  { sequenceLength }: { sequenceLength: number },
): Dataset {
  const { days, inputs, targets, windows } = marketRows(bars, sequenceLength);
  const parts = splitByTime(windows, sequenceLength);
  if (PARTS.some((name) => parts[name].length === 0)) {
    const found = PARTS.map((name) => `${parts[name].length} for ${name}`).join(', ');
    throw new TrainingFailure(
      'TOO_LITTLE_DATA',
      `${bars.length} tickers on ${days.length} trading days give too few windows of ` +
        `${sequenceLength} days: ${found}`,
    );
  }
  const partOf = (windows: readonly Window[]): Part => ({
    rows: Int32Array.from(windows, ({ row }) => row),
    from: days[windows[0]!.lastDay]!,
    to: days[windows.at(-1)!.lastDay]!,
  });
  return assemble({
    features: MODEL_FEATURES,
    sequenceLength,
    tickers: bars.map(({ ticker }) => ticker),
    inputs,
    targets,
    train: partOf(parts.train),
    validation: partOf(parts.validation),
    test: partOf(parts.test),
  });
}

/** A `Dataset` before it is scaled. */
interface RawDataset extends Omit<Dataset, 'inputs' | 'targets' | 'scaler' | 'hash'> {
  readonly inputs: Float64Array;
  readonly targets: Float64Array;
}

/** Scales by the rows and targets of the windows in the training part only. */
export function assemble(raw: RawDataset): Dataset {
  const { features, sequenceLength, train } = raw;
  const covered = new Uint8Array(raw.inputs.length / features.length);
  const trained = new Uint8Array(covered.length);
  for (const row of train.rows) {
    covered.fill(1, row - sequenceLength + 1, row + 1);
    trained[row] = 1;
  }
  const scaler = {
    inputs: fitScaler(raw.inputs, features.length, covered),
    targets: fitScaler(raw.targets, OUTPUTS.length, trained),
  };
  const dataset = {
    ...raw,
    inputs: scaled(raw.inputs, scaler.inputs),
    targets: scaled(raw.targets, scaler.targets),
    scaler,
  };
  return { ...dataset, hash: hashOf(dataset) };
}

function hashOf(dataset: Omit<Dataset, 'hash'>): string {
  const { features, sequenceLength, tickers, inputs, targets, scaler } = dataset;
  const parts = PARTS.map((name) => ({ ...dataset[name], rows: dataset[name].rows.length }));
  const hash = createHash('sha256');
  hash.update(JSON.stringify({ features, sequenceLength, tickers, scaler, parts }));
  for (const numbers of [inputs, targets, ...PARTS.map((name) => dataset[name].rows)]) {
    hash.update(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  }
  return hash.digest('hex');
}

/**
 * The mean and the population standard deviation of each column, over the rows that `counts` marks. A constant column
 * has the deviation 1.
 */
function fitScaler(values: Float64Array, columns: number, counts: Uint8Array): Scaler {
  const mean: number[] = [];
  const deviation: number[] = [];
  for (let column = 0; column < columns; column++) {
    // Sums differences from the first value, so that equal values have a deviation of exactly 0.
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
function scaled(values: Float64Array, { mean, deviation }: Scaler): Float32Array {
  const columns = mean.length;
  return Float32Array.from(values, (value, at) => (value - mean[at % columns]!) / deviation[at % columns]!);
}
