import { featureTable, type FeatureBar, type FeatureTable } from '../../market/features.ts';
import { OUTPUTS } from '../network/spec.ts';
import { figuresOf, type TickerBars } from './bars.ts';
import { MODEL_FEATURES } from './model-features.ts';

/**
 * The most market days in a row on which a ticker may have no bar, for instance for holidays. A longer pause is a
 * delisting or a hole in the data, and the return across it may span years. No feature, window or target spans such a
 * pause.
 */
export const LONGEST_PAUSE = 5;

/** Days are given as indexes into `days`. */
export interface Window {
  /** The row of the window's last day. */
  readonly row: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly targetDay: number;
}

/**
 * All days of all tickers as rows, and the windows among them. The features of a row use no later bar, and its target
 * only the next one.
 */
export function marketRows(bars: readonly TickerBars[], sequenceLength: number) {
  /** All dates on which anything traded, ascending. */
  const days = [...new Set(bars.flatMap(({ dates }) => dates))].sort();
  const places = new Map(days.map((date, at) => [date, at]));
  const rows = bars.reduce((sum, { dates }) => sum + dates.length, 0);
  /** rows × features; NaN if there were too few bars. */
  const inputs = new Float64Array(rows * MODEL_FEATURES.length);
  /** rows × outputs, from the next bar; NaN if there is none. */
  const targets = new Float64Array(rows * OUTPUTS.length).fill(Number.NaN);
  /** Sorted by their last day, then by ticker. */
  const windows: Window[] = [];
  let row = 0;
  for (const ticker of bars) {
    const dayOf = (at: number): number => places.get(ticker.dates[at]!)!;
    for (const [from, to] of stretches(ticker.dates, dayOf)) {
      const stretch = featureBars(ticker, from, to);
      const table = featureTable(stretch);
      let known = 0;
      for (let at = 0; at < stretch.length; at++, row++) {
        known = putFeatures(table, at, inputs, row) ? known + 1 : 0;
        const next = stretch[at + 1];
        if (next === undefined || !putTargets(stretch[at]!, next, targets, row)) continue;
        if (known < sequenceLength) continue;
        windows.push({
          row,
          firstDay: dayOf(from + at - sequenceLength + 1),
          lastDay: dayOf(from + at),
          targetDay: dayOf(from + at + 1),
        });
      }
    }
  }
  return { days, inputs, targets, windows: windows.sort((a, b) => a.lastDay - b.lastDay || a.row - b.row) };
}

/** The ranges of a ticker's bars between pauses: the first bar of each, and the one after its last. */
function stretches(dates: readonly string[], dayOf: (at: number) => number): [from: number, to: number][] {
  const starts = dates
    .map((_, at) => at)
    .filter((at) => at === 0 || dayOf(at) - dayOf(at - 1) > LONGEST_PAUSE + 1);
  return starts.map((from, n) => [from, starts[n + 1] ?? dates.length]);
}

export function featureBars(bars: TickerBars, from: number, to: number): FeatureBar[] {
  return Array.from({ length: to - from }, (_, at) => figuresOf((figure) => bars[figure][from + at]!));
}

/** Writes the features of one row of the table; false if one of them is unknown. */
export function putFeatures(
  table: FeatureTable,
  at: number,
  inputs: Float64Array | Float32Array,
  row: number,
): boolean {
  let known = true;
  for (const [column, name] of MODEL_FEATURES.entries()) {
    const value = table[name][at]!;
    known &&= Number.isFinite(value);
    // All NaN are written with the same bits. Their bits differ between engines, and so would the hash.
    inputs[row * MODEL_FEATURES.length + column] = Number.isFinite(value) ? value : Number.NaN;
  }
  return known;
}

/** The largest ln(high / low) of a bar. Above it the bar has a stray trade, as `findWarnings` of the market reports. */
const WIDEST_RANGE = 0.5;

/**
 * ln(close / close before), and the next day's volatility from its range: √(ln(high / low)² / (4 ln 2)). The range is
 * cut at `WIDEST_RANGE`, because one low of half a cent would weigh more than all other days. (Parkinson, The Extreme
 * Value Method for Estimating the Variance of the Rate of Return, 1980)
 */
function putTargets(now: FeatureBar, next: FeatureBar, targets: Float64Array, row: number): boolean {
  const change = Math.log(next.close / now.close);
  const range = Math.min(Math.abs(Math.log(next.high / next.low)), WIDEST_RANGE);
  const volatility = range / Math.sqrt(4 * Math.LN2);
  if (!Number.isFinite(change) || !Number.isFinite(volatility)) return false;
  targets[row * OUTPUTS.length] = change;
  targets[row * OUTPUTS.length + 1] = volatility;
  return true;
}
