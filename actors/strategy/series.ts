/**
 * Numbers, oldest first. Those at the beginning can be NaN: an indicator needs some values before it gives its first.
 */
export type Series = ArrayLike<number>;

/** An indicator's values, one for each value of its series; NaN where there were too few values before it. */
export type Indicator = Float64Array;

export const notYet = (length: number): Indicator => new Float64Array(length).fill(Number.NaN);

/** The index of the first value that is not NaN. */
export function beginning(values: Series): number {
  let at = 0;
  while (at < values.length && Number.isNaN(values[at])) at += 1;
  return at;
}

/** One value for each full window of `period` values. `of` gets the first and the last index of the window. */
export function overWindows(
  values: Series,
  period: number,
  of: (first: number, last: number) => number,
): Indicator {
  if (!Number.isInteger(period) || period < 1) throw new RangeError(`not a period: ${period}`);
  const result = notYet(values.length);
  for (let last = beginning(values) + period - 1; last < values.length; last += 1) {
    result[last] = of(last - period + 1, last);
  }
  return result;
}
