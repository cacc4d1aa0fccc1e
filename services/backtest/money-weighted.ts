import { DAY_MS } from '../../events/dates.ts';
import type { EquityPoint } from './account-history.ts';
import { defined } from './performance.ts';
import { ANNUALISED_DAYS } from './periods.ts';

const YEAR_DAYS = 365;
/** The yearly rates between which the result is searched. */
const [LOWEST, HIGHEST] = [-0.999_999, 1e6];
/** Each step halves the interval, which is then narrower than the precision of numbers. */
const STEPS = 200;

/**
 * The internal rate of return by dates, like XIRR of spreadsheets: with this rate, the cash that came in grew to the
 * cash that left plus the final value. `null` if there is none; `annual` is `null` for less than eleven months.
 */
export function moneyWeighted(equity: readonly EquityPoint[]): {
  annual: number | null;
  total: number | null;
} {
  const [first, ...rest] = equity;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return { annual: null, total: null };
  const daysTo = (session: string): number => (Date.parse(session) - Date.parse(first.session)) / DAY_MS;
  const days = daysTo(last.session);
  const paid = [
    { amount: -first.value, years: 0 },
    ...rest.flatMap(({ session, flow }) =>
      flow === undefined ? [] : [{ amount: -flow, years: daysTo(session) / YEAR_DAYS }],
    ),
    { amount: last.value, years: days / YEAR_DAYS },
  ];
  const worth = (rate: number): number =>
    paid.reduce((sum, { amount, years }) => sum + amount * (1 + rate) ** -years, 0);
  const annual = days > 0 ? rootOf(worth) : null;
  return {
    annual: days < ANNUALISED_DAYS ? null : annual,
    total: annual === null ? null : defined((1 + annual) ** (days / YEAR_DAYS) - 1),
  };
}

/** Finds the root by bisection; `null` if both ends have the same sign. */
function rootOf(of: (rate: number) => number): number | null {
  let [low, high] = [LOWEST, HIGHEST];
  const isAbove = of(low) > 0;
  if (isAbove === of(high) > 0) return null;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (of(middle) > 0 === isAbove) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
