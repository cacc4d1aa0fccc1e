import { createHash } from 'node:crypto';
import { OUTPUTS } from '../network/spec.ts';
import type { Dataset } from './dataset.ts';
import { fitScaler, scaled } from './scaler.ts';
import { PARTS } from './split.ts';

/** As `Dataset`, before it is scaled. */
interface RawDataset extends Omit<Dataset, 'inputs' | 'targets' | 'scaler' | 'hash'> {
  readonly inputs: Float64Array;
  readonly targets: Float64Array;
}

/** Scales by what the windows of the training part cover, and by their targets: nothing else is looked at. */
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
