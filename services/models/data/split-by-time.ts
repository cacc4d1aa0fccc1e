import type { Window } from './windows.ts';

export const PARTS = ['train', 'validation', 'test'] as const;
type PartName = (typeof PARTS)[number];

const TRAIN_SHARE = 0.7;
const VALIDATION_SHARE = 0.15;

/**
 * Splits windows by time: 70 % of the days on which windows end, then 15 %, then the rest, with a gap of
 * `sequenceLength` market days between two parts. So no target of an earlier part lies in a window of a later one.
 * Windows in a gap belong to no part.
 */
export function splitByTime(
  windows: readonly Window[],
  sequenceLength: number,
): Record<PartName, readonly Window[]> {
  const first = windows[0]?.lastDay ?? 0;
  const last = windows.at(-1)?.lastDay ?? -1;
  const days = Math.max(0, last - first + 1 - 2 * sequenceLength);
  const train = Math.round(days * TRAIN_SHARE);
  const validation = Math.round(days * VALIDATION_SHARE);
  /** The last days that train and validation use, which are the days of their last targets. */
  const trainEnd = first + train;
  const validationEnd = trainEnd + sequenceLength + validation;
  return {
    train: windows.filter(({ targetDay }) => targetDay <= trainEnd),
    validation: windows.filter(
      ({ firstDay, targetDay }) => firstDay > trainEnd && targetDay <= validationEnd,
    ),
    test: windows.filter(({ firstDay }) => firstDay > validationEnd),
  };
}
