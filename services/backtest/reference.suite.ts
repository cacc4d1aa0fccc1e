import { expect } from 'vitest';
import { expectClose, type CaseRunner } from '../../actors/reference-cases.suite.ts';
import { exponentialAverage, macd, simpleAverage, wilderAverage } from '../../actors/strategy/averages.ts';
import { logReturn, momentum, percentChange } from '../../actors/strategy/price-changes.ts';
import { performanceOfReturns, type Performance } from './performance.ts';
import { overWindows, type Indicator } from '../../actors/strategy/series.ts';
import { standardDeviation } from '../../actors/strategy/volatility.ts';
import { averageTrueRange, relativeStrength } from '../../actors/strategy/rsi-and-atr.ts';

/** A table of another project: columns by lower-case name, days as `YYYY-MM-DD`. */
export interface Table {
  readonly dates: readonly string[];
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

/** Empty cells and text are NaN. Days are written `2006-01-02` or `1/2/2006`, with or without a time. */
export function readTable(text: string): Table {
  const [head = [], ...rows] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.split(','));
  return {
    dates: rows.map(([date = '']) => isoDate(date)),
    columns: Object.fromEntries(
      head.map((name, at) => [
        name.toLowerCase(),
        rows.map((row) => (row[at] === undefined || row[at] === '' ? Number.NaN : Number(row[at]))),
      ]),
    ),
  };
}

function isoDate(text: string): string {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text) ?? [];
  return year === '' ? text.slice(0, 10) : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Runners for cases of the kinds `indicator`, `logret`, `bbands` and `perf`; `read` returns an input file's text. */
export function indicatorCases(read: (file: string) => string): Record<string, CaseRunner> {
  const tableOf = (file: string): Table => readTable(read(file));
  return {
    indicator: (reference) => {
      const { file, indicator } = reference.input;
      const table = tableOf(file);
      const lines = namedIndicator(indicator, table, closesOf(table, reference.input));
      const at = checkpoints(table, reference.input);
      expect(lines).toHaveLength(reference.expected.values.length);
      reference.expected.values.forEach((values: number[], line: number) => {
        values.forEach((value, point) => expectClose(lines[line]![at[point]!]!, value, reference));
      });
      // There are no values before the first valid bar.
      if (reference.input.minperiod > 1) {
        expect(Math.min(...lines.map((line) => line[reference.input.minperiod - 2]!))).toBeNaN();
      }
    },
    logret: (reference) => {
      const table = tableOf(reference.input.file);
      const returns = logReturn(closesOf(table, reference.input), reference.input.period);
      for (const [date, value] of reference.expected.rows) {
        expectClose(returns[rowOf(table, date)]!, value, reference);
      }
    },
    bbands: (reference) => {
      const table = tableOf(reference.input.file);
      const { period, k } = reference.input;
      const bands = bollingerBands(closesOf(table, reference.input), period, k);
      for (const [date, ...expected] of reference.expected.rows) {
        const row = rowOf(table, date);
        bands.forEach((band, at) => expectClose(band[row]!, expected[at], reference));
      }
    },
    perf: (reference) => {
      const performance = performanceOfReturns(reference.input.returns, reference.input.periods_per_year);
      for (const [name, value] of Object.entries(reference.expected)) {
        const tolerance = Math.max(
          reference.tolerance,
          name === 'cum_return' ? rounding(value as number) : 0,
        );
        expectClose(statistic(performance, name), value as number, { ...reference, tolerance });
      }
    },
  };
}

/** A table of several tickers has a column for each; the case names its own. */
const closesOf = ({ columns }: Table, { column = 'close' }: { column?: string }): readonly number[] =>
  columns[column.toLowerCase()]!;

function rowOf(table: Table, date: string): number {
  const row = table.dates.indexOf(isoDate(date));
  expect(row, `a row of ${date}`).toBeGreaterThanOrEqual(0);
  return row;
}

/** The last bar, the first valid one, and one in the middle, as in backtrader's tests. */
function checkpoints(
  table: Table,
  { minperiod, checkpoint_dates: dates }: { minperiod: number; checkpoint_dates?: readonly string[] },
): number[] {
  if (dates !== undefined) return dates.map((date) => rowOf(table, date));
  const bars = table.dates.length;
  return [bars - 1, minperiod - 1, bars - 1 + Math.floor((minperiod - bars) / 2)];
}

/** Parses backtrader's names of indicators with their parameters: `SMA30`, `BBANDS20_2`. */
function namedIndicator(named: string, { columns }: Table, closes: readonly number[]): Indicator[] {
  const [, name = '', parameters = ''] = /^([A-Z]+)([\d_.]*)$/.exec(named) ?? [];
  const [period = 0, second = 0, third = 0] = parameters.split('_').map(Number);
  switch (name) {
    case 'SMA':
      return [simpleAverage(closes, period)];
    case 'EMA':
      return [exponentialAverage(closes, period)];
    case 'SMMA':
      return [wilderAverage(closes, period)];
    case 'BBANDS':
      return bollingerBands(closes, period, second);
    case 'MACD': {
      const lines = macd(closes, period, second, third);
      return [lines.macd, lines.signal, lines.macd.map((value, at) => value - lines.signal[at]!)];
    }
    case 'MOM':
    case 'MOMENTUM':
      return [momentum(closes, period)];
    case 'ROC':
    case 'PCTCHANGE':
      return [percentChange(closes, period)];
    case 'HIGHEST':
      return [extreme(closes, period, Math.max)];
    case 'LOWEST':
      return [extreme(closes, period, Math.min)];
    case 'STDDEV':
      return [standardDeviation(closes, period, 0)];
    case 'RSI':
      return [relativeStrength(closes, period)];
    case 'ATR': {
      // backtrader leaves out the first bar's range, because there is no close before it.
      const highs = columns['high']!.with(0, Number.NaN);
      return [averageTrueRange(highs, columns['low']!, closes, period)];
    }
    default:
      throw new Error(`no indicator ${named}`);
  }
}

/** The middle, upper and lower band, from which our %b is computed. */
function bollingerBands(closes: readonly number[], period: number, width: number): Indicator[] {
  const middle = simpleAverage(closes, period);
  const deviation = standardDeviation(closes, period, 0);
  return [0, width, -width].map((by) => middle.map((mean, at) => mean + by * deviation[at]!));
}

/** No feature of ours uses it. */
const extreme = (values: readonly number[], period: number, of: (...window: number[]) => number): Indicator =>
  overWindows(values, period, (first, last) => of(...values.slice(first, last + 1)));

/**
 * Half of the last stated decimal place. empyrical's tests state the cumulative return with four or five places and
 * compare four, so the tolerance of a case, which is for its other figures, can be smaller than the rounding.
 */
const rounding = (stated: number): number => 0.5 * 10 ** -(String(stated).split('.')[1] ?? '').length;

/** The figure by empyrical's name. */
function statistic(performance: Performance, name: string): number {
  const names: Record<string, keyof Performance> = {
    cum_return: 'totalReturn',
    annual_return: 'annualReturn',
    annual_volatility: 'annualVolatility',
    sharpe: 'sharpe',
    downside_risk: 'downsideRisk',
    sortino: 'sortino',
    max_drawdown: 'maxDrawdown',
    calmar: 'calmar',
  };
  expect(names[name], `a statistic ${name}`).toBeDefined();
  return performance[names[name]!] ?? Number.NaN;
}
