import { periodSharpe } from './overfitting.ts';

/** Where a choice is made, and where it is proven: places in the sessions, `to` excluded. */
export interface Fold {
  readonly train: { readonly from: number; readonly to: number };
  readonly test: { readonly from: number; readonly to: number };
}

/** Of the time in which a choice is made and of the time in which it is used, in years or months. */
export interface WalkForward {
  readonly trainMonths: number;
  readonly testMonths: number;
  /** The choice is always made from the first session on, instead of from as long ago as `trainMonths`. */
  readonly anchored: boolean;
}

/**
 * `5y/1y`, `18m/6m`: time to choose in, time to use the choice.
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

/** One fold: everything before a day, and everything from it on. `null` where one of the two is empty. */
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

/** A day that the month does not have becomes its last one. */
function monthsAfter(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

/** The choice of a fold, and its result outside the data on which it was chosen. */
export interface Choice extends Fold {
  /** Place of the chosen trial. */
  readonly chosen: number;
  /** Sharpe ratio of a session, in the time of the choice and in the test. */
  readonly sharpe: { readonly train: number; readonly test: number };
  /** Its place among all trials in the test, by the Sharpe ratio: 1 is the best. */
  readonly rank: number;
}

/** Chooses in each fold the trial with the best Sharpe ratio in training (the first of equal ones), and looks at it in the test. */
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

/** The returns of the tests one after another, each of what was chosen before it. */
export function stitched(choices: readonly Choice[], trials: readonly Float64Array[]): number[] {
  return choices.flatMap(({ test, chosen }) => [...trials[chosen]!.subarray(test.from, test.to)]);
}
