import { DAY_MS } from '../../events/dates.ts';
import type { Rhythm } from '../market/rhythm.ts';
import { measurePerformance, type Performance } from './performance.ts';
import type { EquityPoint } from './account-history.ts';

const YEAR_MS = 365.25 * DAY_MS;
/** Returns of fewer days are not annualised: eleven months, so that a table with about a year counts as one. */
export const ANNUALISED_DAYS = 330;

/**
 * Growth a year is by dates, so that sessions the tables lack count as time; `null` for less than eleven months. What is a
 * mean is of sessions, of which a year has as many as their rhythm says.
 */
export function performanceOf(
  equity: readonly EquityPoint[],
  { perYear, riskFreePercent = 0 }: Pick<Rhythm, 'perYear'> & { readonly riskFreePercent?: number },
): Performance {
  const [first = '', last = ''] = [equity[0]?.session, equity.at(-1)?.session];
  const time = Date.parse(last) - Date.parse(first);
  const values = equity.map(({ value }) => value);
  const performance = measurePerformance(values, perYear, time / YEAR_MS, riskFreePercent);
  return time < ANNUALISED_DAYS * DAY_MS ? { ...performance, annualReturn: null, calmar: null } : performance;
}

/**
 * What the value would have been without cash from outside, from the same first value on: its returns are time-weighted.
 * Cash that was moved between two closes was there from the earlier one on, at whose prices it came.
 */
export function withoutFlows(equity: readonly EquityPoint[]): readonly EquityPoint[] {
  if (equity.every(({ flow }) => flow === undefined)) return equity;
  let grown = equity[0]!.value;
  return equity.map(({ session, value, flow = 0 }, at) => {
    if (at > 0) grown *= value / (equity[at - 1]!.value + flow);
    return { session, value: grown };
  });
}

/** From each close to the next, as shares; the first is from the opening value. */
export const returnsOf = (equity: readonly EquityPoint[]): number[] =>
  equity.slice(1).map(({ value }, at) => value / equity[at]!.value - 1);

/** A year's return, and each of its months' as a fraction; `null` for a month without a session. */
export type YearOfReturns = ReturnType<typeof monthlyReturns>[number];

/** Monthly and yearly returns, each from the close before it to its last close. The first ones begin with the opening value. */
export function monthlyReturns(equity: readonly EquityPoint[]) {
  const [opening, ...closes] = equity;
  if (opening === undefined) return [];
  const years = new Map<string, { months: (number | null)[]; from: number; to: number }>();
  let before = opening.value;
  for (const [month, points] of Map.groupBy(closes, ({ session }) => session.slice(0, 7))) {
    const year = month.slice(0, 4);
    const known = years.get(year) ?? {
      /** January first; twelve of them. */
      months: Array.from({ length: 12 }, () => null),
      from: before,
      to: before,
    };
    const close = points.at(-1)!.value;
    known.months[Number(month.slice(5)) - 1] = close / before - 1;
    years.set(year, { ...known, to: close });
    before = close;
  }
  return [...years].map(([year, { months, from, to }]) => ({ year, months, total: to / from - 1 }));
}
