import { DAY_MS } from '../../events/dates.ts';
import type { Rhythm } from '../market/rhythm.ts';
import { measurePerformance, type Performance } from './performance.ts';
import type { EquityPoint } from './account-history.ts';

const YEAR_MS = 365.25 * DAY_MS;
/** Returns over fewer days are not annualised. Eleven months count, so that a table of about a year does. */
export const ANNUALISED_DAYS = 330;

/**
 * Yearly growth is computed from dates, so that sessions missing in the tables count as time; it is `null` for less
 * than eleven months. Means are over sessions, and the rhythm tells how many a year has.
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
 * The values as they would be without cash from outside, so that returns are time-weighted. Cash that moved between two
 * closes counts from the earlier close on, at its prices.
 */
export function withoutFlows(equity: readonly EquityPoint[]): readonly EquityPoint[] {
  if (equity.every(({ flow }) => flow === undefined)) return equity;
  let grown = equity[0]!.value;
  return equity.map(({ session, value, flow = 0 }, at) => {
    if (at > 0) grown *= value / (equity[at - 1]!.value + flow);
    return { session, value: grown };
  });
}

/** The returns from close to close, as fractions; the first is from the opening value. */
export const returnsOf = (equity: readonly EquityPoint[]): number[] =>
  equity.slice(1).map(({ value }, at) => value / equity[at]!.value - 1);

/** The return of a year and of each of its months, as fractions; `null` for a month without a session. */
export type YearOfReturns = ReturnType<typeof monthlyReturns>[number];

/** Monthly and yearly returns, each from the previous close to its last one. The first begin at the opening value. */
export function monthlyReturns(equity: readonly EquityPoint[]) {
  const [opening, ...closes] = equity;
  if (opening === undefined) return [];
  const years = new Map<string, { months: (number | null)[]; from: number; to: number }>();
  let before = opening.value;
  for (const [month, points] of Map.groupBy(closes, ({ session }) => session.slice(0, 7))) {
    const year = month.slice(0, 4);
    const known = years.get(year) ?? {
      /** Twelve months, January first. */
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
