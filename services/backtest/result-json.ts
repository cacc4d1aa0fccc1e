import { notesOf } from './notes.ts';
import type { BacktestSummary } from './summary.ts';

/** What `beleg backtest --json` prints: what has to be known first, the long lists last, a point of a curve each session. */
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
    // The first point is `initial`, on the day of the first session.
    equity: equity.slice(1),
  };
}
