import { measurePerformance, type Performance } from './performance.ts';
import type { EquityPoint } from './run.ts';

const SESSIONS_A_YEAR = 252;
const YEAR_MS = 365.25 * 86_400_000;

/** Growth a year is by dates, so that sessions the tables lack count as time; what is a mean is of sessions. */
export function performanceOf(equity: readonly EquityPoint[]): Performance {
  const [first = '', last = ''] = [equity[0]?.session, equity.at(-1)?.session];
  return measurePerformance(
    equity.map(({ value }) => value),
    SESSIONS_A_YEAR,
    (Date.parse(last) - Date.parse(first)) / YEAR_MS,
  );
}

/** A year's return, and each of its months' as a fraction; `null` for a month without a session. */
export interface YearOfReturns {
  readonly year: string;
  /** January first; twelve of them. */
  readonly months: readonly (number | null)[];
  readonly total: number;
}

/** From the close before to the last close of each month and year; the first ones from the opening value. */
export function monthlyReturns(equity: readonly EquityPoint[]): YearOfReturns[] {
  const [opening, ...closes] = equity;
  if (opening === undefined) return [];
  const years = new Map<string, { months: (number | null)[]; from: number; to: number }>();
  let before = opening.value;
  for (const [month, points] of Map.groupBy(closes, ({ session }) => session.slice(0, 7))) {
    const year = month.slice(0, 4);
    const known = years.get(year) ?? {
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

/** A way down from a high, and back to it. */
export interface Drawdown {
  /** Session of the high. */
  readonly from: string;
  readonly lowest: string;
  /** The first session that closed as high again; `null` where none has. */
  readonly recovered: string | null;
  /** A negative fraction of the high. */
  readonly depth: number;
  /** From the high to the recovery, or the end. */
  readonly sessions: number;
}

/** The deepest ones, which do not overlap, deepest first. */
export function worstDrawdowns(equity: readonly EquityPoint[], count: number): Drawdown[] {
  const found: Drawdown[] = [];
  let high = 0;
  let low = 0;
  const end = (recovered: number | null): void => {
    const depth = equity[low]!.value / equity[high]!.value - 1;
    if (depth >= 0) return;
    found.push({
      from: equity[high]!.session,
      lowest: equity[low]!.session,
      recovered: recovered === null ? null : equity[recovered]!.session,
      depth,
      sessions: (recovered ?? equity.length - 1) - high,
    });
  };
  for (const [at, { value }] of equity.entries()) {
    if (value >= equity[high]!.value) {
      end(at);
      high = low = at;
    } else if (value < equity[low]!.value) low = at;
  }
  if (equity.length > 0) end(null);
  return found.sort((a, b) => a.depth - b.depth).slice(0, count);
}
