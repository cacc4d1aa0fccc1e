import { notesOf } from './notes.ts';
import type { BacktestSummary } from './summary.ts';

/** The output of `beleg backtest --json`: warnings first, long lists last, one point of a curve per session. */
export function summaryJson(summary: BacktestSummary) {
  const { positions, orders, fills, trades, benchmarks, equity, decisions, ...first } = summary;
  return {
    ...first,
    notes: notesOf(summary),
    positions,
    trades,
    orders,
    fills,
    ...(decisions.length === 0 ? {} : { decisions }),
    benchmarks: benchmarks.map((one) => ({ ...one, equity: one.equity.slice(1) })),
    // The first point is `initial`, dated to the first session.
    equity: equity.slice(1),
  };
}
