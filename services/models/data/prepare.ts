import { TrainingFailure } from '../training/training.ts';
import { assemble } from './assemble.ts';
import type { TickerBars } from './bars.ts';
import type { Dataset, Part } from './dataset.ts';
import { MODEL_FEATURES } from './features.ts';
import { PARTS, splitByTime } from './split.ts';
import { marketRows, type Window } from './windows.ts';

/**
 * What a network is trained on, from split-adjusted bars.
 *
 * @throws {TrainingFailure} `TOO_LITTLE_DATA` where a part would have no window.
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
