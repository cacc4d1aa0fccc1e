import { periodSharpe } from './overfitting.ts';

/** A range of sessions to choose in, and a range to test in, by index; `to` is excluded. */
export interface Fold {
  readonly train: { readonly from: number; readonly to: number };
  readonly test: { readonly from: number; readonly to: number };
}

/** The lengths of training and test, in months. */
interface WalkForward {
  readonly trainMonths: number;
  readonly testMonths: number;
  /** Whether each training begins at the first session instead of `trainMonths` before its test. */
  readonly anchored: boolean;
}

/**
 * Parses `5y/1y` or `18m/6m`: the lengths of training and test.
 *
 * @throws {RangeError} what cannot be read.
 */
export function parseWalkForward(text: string, anchored: boolean): WalkForward {
  const [, train, trainUnit, test, testUnit] = /^(\d{1,3})([ym])\/(\d{1,3})([ym])$/.exec(text) ?? [];
  const [trainMonths, testMonths] = [monthsOf(train, trainUnit), monthsOf(test, testUnit)];
  if (!(trainMonths > 0) || !(testMonths > 0)) {
    throw new RangeError(
      `${text} is no walk-forward: write 5y/1y or 18m/6m (time to choose in, time to use it)`,
    );
  }
  return { trainMonths, testMonths, anchored };
}

const monthsOf = (count: string | undefined, unit: string | undefined): number =>
  Number(count) * (unit === 'y' ? 12 : 1);

/** One fold: all sessions before a day, and all from it on. `null` if one of the two is empty. */
export function splitAt(dates: readonly string[], day: string): Fold | null {
  const at = dates.findIndex((date) => date >= day);
  if (at <= 0) return null;
  return { train: { from: 0, to: at }, test: { from: at, to: dates.length } };
}

/** Folds whose tests follow one another without a gap; the last test may be shorter. */
export function foldsOf(
  dates: readonly string[],
  { trainMonths, testMonths, anchored }: WalkForward,
): Fold[] {
  const folds: Fold[] = [];
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return folds;
  const placeOf = (day: string): number => {
    const at = dates.findIndex((date) => date >= day);
    return at < 0 ? dates.length : at;
  };
  for (let months = trainMonths; monthsAfter(first, months) <= last; months += testMonths) {
    const from = placeOf(monthsAfter(first, months));
    const to = placeOf(monthsAfter(first, months + testMonths));
    const start = anchored ? 0 : placeOf(monthsAfter(first, months - trainMonths));
    if (to > from && from > start) folds.push({ train: { from: start, to: from }, test: { from, to } });
  }
  return folds;
}

/** A day that the month does not have becomes its last day. */
function monthsAfter(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

/** The choice of a fold, and its result outside the data on which it was chosen. */
interface Choice extends Fold {
  /** The index of the chosen trial. */
  readonly chosen: number;
  /** The Sharpe ratio per session, in training and in the test. */
  readonly sharpe: { readonly train: number; readonly test: number };
  /** Its rank among all trials in the test, by the Sharpe ratio: 1 is the best. */
  readonly rank: number;
}

/** Chooses in each fold the trial with the best Sharpe ratio in training (the first of equal ones), and tests it. */
export function chooseIn(folds: readonly Fold[], trials: readonly Float64Array[]): Choice[] {
  return folds.map(({ train, test }) => {
    const inside = trials.map((returns) => periodSharpe(returns.subarray(train.from, train.to)));
    const outside = trials.map((returns) => periodSharpe(returns.subarray(test.from, test.to)));
    const chosen = inside.reduce((best, value, at) => (value > inside[best]! ? at : best), 0);
    const own = outside[chosen]!;
    const rank = outside.filter((value) => value > own).length + 1;
    return { train, test, chosen, sharpe: { train: inside[chosen]!, test: own }, rank };
  });
}

/** The returns of the tests one after another, each of the trial chosen before it. */
export function stitched(choices: readonly Choice[], trials: readonly Float64Array[]): number[] {
  return choices.flatMap(({ test, chosen }) => [...trials[chosen]!.subarray(test.from, test.to)]);
}
