import { DAY_MS } from '../../events/dates.ts';
import type { EquityPoint } from './account-history.ts';
import { defined } from './performance.ts';
import { ANNUALISED_DAYS } from './periods.ts';

const YEAR_DAYS = 365;
/** Rates a year between which the answer is looked for. */
const [LOWEST, HIGHEST] = [-0.999_999, 1e6];
/** Each halves the interval: it is then narrower than numbers tell apart. */
const STEPS = 200;

/**
 * The internal rate of return by dates, as spreadsheets have it (XIRR): at this rate what came in grew to what left and what is
 * there at the end. `null`: there is none, or less than eleven months (`annual`).
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

/** By halving; `null` where the ends do not lie on two sides of 0. */
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
