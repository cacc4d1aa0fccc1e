import type { EquityPoint } from './account-history.ts';

/** A fall from a high until the value is back. */
export type Drawdown = ReturnType<typeof worstDrawdowns>[number];

/** The deepest falls that do not overlap, deepest first. */
export function worstDrawdowns(equity: readonly EquityPoint[], count: number) {
  const found: { from: string; lowest: string; recovered: string | null; depth: number; sessions: number }[] =
    [];
  let high = 0;
  let low = 0;
  const end = (recovered: number | null): void => {
    const depth = equity[low]!.value / equity[high]!.value - 1;
    if (depth >= 0) return;
    found.push({
      /** The session of the high. */
      from: equity[high]!.session,
      lowest: equity[low]!.session,
      /** The first session whose close was as high again; `null` if there is none. */
      recovered: recovered === null ? null : equity[recovered]!.session,
      /** A negative fraction of the high. */
      depth,
      /** The number of sessions from the high to the recovery or the end. */
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

/** How far each value is below the highest one before: 0 or negative. */
export function relativeHeights(equity: readonly EquityPoint[]): EquityPoint[] {
  let high = Number.NEGATIVE_INFINITY;
  return equity.map(({ session, value }) => {
    high = Math.max(high, value);
    return { session, value: high > 0 ? value / high - 1 : 0 };
  });
}
