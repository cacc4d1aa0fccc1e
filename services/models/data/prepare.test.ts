import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { featureTable } from '../../market/features.ts';
import type { TickerBars } from './bars.ts';
import { TrainingFailure } from '../training/trainer-port.ts';
import { fillBatch, type Dataset } from './dataset.ts';
import { MODEL_FEATURES } from './model-features.ts';
import { prepareDataset } from './prepare.ts';
import { PARTS } from './split-by-time.ts';
import { dayOf, walk } from './walk.suite.ts';
import { featureBars, marketRows } from './windows.ts';

const F = MODEL_FEATURES.length;

/** The ticker and bar of each row. */
const barOfRow = (bars: readonly TickerBars[]) =>
  bars.flatMap(({ ticker, dates }) => dates.map((date, at) => ({ ticker, date, at })));

/** Markets whose tickers come, go and pause. */
const AnyMarket = fc.record({
  bars: fc
    .array(
      fc.record({
        seed: fc.nat(1_000),
        from: fc.nat(60),
        length: fc.integer({ min: 0, max: 320 }),
        pauses: fc.array(fc.tuple(fc.nat(300), fc.nat(9)), { maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((tickers) =>
      tickers.map(({ seed, from, length, pauses }, n) =>
        walk(`T${n}`, {
          seed,
          from,
          to: from + length,
          without: (day) => pauses.some(([start, days]) => day >= start && day < start + days),
        }),
      ),
    ),
  sequenceLength: fc.integer({ min: 4, max: 25 }),
});

function preparedOrNull(bars: readonly TickerBars[], sequenceLength: number): Dataset | null {
  try {
    return prepareDataset(bars, { sequenceLength });
  } catch (error) {
    if (error instanceof TrainingFailure) return null;
    throw error;
  }
}

describe('windows', () => {
  it('are of one ticker, whole, known, without a long pause, and have a target', () => {
    fc.assert(
      fc.property(AnyMarket, ({ bars, sequenceLength }) => {
        const { days, inputs, targets, windows } = marketRows(bars, sequenceLength);
        const rows = barOfRow(bars);
        const faults = windows.filter(({ row, firstDay, lastDay, targetDay }) => {
          const window = rows.slice(row - sequenceLength + 1, row + 2);
          const places = window.map(({ date }) => days.indexOf(date));
          return !(
            window.every(({ ticker }) => ticker === rows[row]!.ticker) &&
            isDeepStrictEqual([places[0], places.at(-2), places.at(-1)], [firstDay, lastDay, targetDay]) &&
            places.every(
              (place, at) => at === 0 || (place > places[at - 1]! && place < places[at - 1]! + 7),
            ) &&
            inputs.subarray((row - sequenceLength + 1) * F, (row + 1) * F).every(Number.isFinite) &&
            targets.subarray(row * 2, row * 2 + 2).every(Number.isFinite)
          );
        });
        expect(faults).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('are all that there can be: of 100 days in a row those with 30 before them and one after', () => {
    const { windows } = marketRows([walk('A', { to: 100 })], 10);
    expect(windows.map(({ row }) => row)).toEqual(Array.from({ length: 61 }, (_, at) => at + 38));
  });

  it('begin anew after a pause of more than five days of the market, and not after a shorter one', () => {
    const market = walk('A', { to: 200, seed: 2 });
    const rowsWithout = (days: number) => {
      const paused = walk('B', { to: 200, without: (day) => day >= 100 && day < 100 + days });
      const { windows } = marketRows([paused, market], 10);
      return windows.filter(({ row }) => row < 200 - days).length;
    };
    expect(rowsWithout(5)).toBe(195 - 1 - 38);
    expect(rowsWithout(6)).toBe(100 - 1 - 38 + (94 - 1 - 38));
  });

  it('have the features of the market service, and as targets what the next day brings', () => {
    const bars = walk('A', { to: 60 });
    const { inputs, targets } = marketRows([bars], 10);
    const table = featureTable(featureBars(bars, 0, 60));
    for (const [column, name] of MODEL_FEATURES.entries()) {
      expect(inputs[50 * F + column]).toBe(table[name][50]);
    }
    expect(targets[50 * 2]).toBe(Math.log(bars.close[51]! / bars.close[50]!));
    // On a day whose high is 2 % above its low: 0.0198 / 1.6651.
    bars.high[51] = 102;
    bars.low[51] = 100;
    expect(marketRows([bars], 10).targets[50 * 2 + 1]).toBeCloseTo(0.011893, 6);
    bars.low[51] = 0.005;
    expect(marketRows([bars], 10).targets[50 * 2 + 1]).toBeCloseTo(0.5 / 1.66511, 5);
    expect([...targets.subarray(59 * 2)]).toEqual([Number.NaN, Number.NaN]);
  });

  it('of bars that are no prices are left out', () => {
    const bars = walk('A', { to: 100 });
    bars.high[70] = Number.NaN;
    bars.volume[80] = Number.NaN;
    const rows = marketRows([bars], 10).windows.map(({ row }) => row);
    expect(rows).not.toContain(69);
    expect(rows).toContain(79);
    expect(rows.filter((row) => row >= 80)).toEqual([]);
  });
});

describe('a dataset', () => {
  it('is split by time: no part shares a day or a target with another, nor comes near', () => {
    let prepared = 0;
    fc.assert(
      fc.property(AnyMarket, ({ bars, sequenceLength }) => {
        const dataset = preparedOrNull(bars, sequenceLength);
        if (dataset === null) return;
        prepared++;
        const rows = barOfRow(bars);
        const days = [...new Set(bars.flatMap(({ dates }) => dates))].sort();
        const dayOfRow = (row: number) => days.indexOf(rows[row]!.date);
        const spans = PARTS.map((name) => {
          const part = dataset[name];
          const last = [...part.rows].map(dayOfRow);
          expect(last).toEqual(last.toSorted((a, b) => a - b));
          expect([part.from, part.to]).toEqual([days[last[0]!], days[last.at(-1)!]]);
          return {
            first: Math.min(...[...part.rows].map((row) => dayOfRow(row - sequenceLength + 1))),
            from: last[0]!,
            to: last.at(-1)!,
            target: Math.max(...[...part.rows].map((row) => dayOfRow(row + 1))),
          };
        });
        for (const [before, after] of [spans.slice(0, 2), spans.slice(1)]) {
          expect(after!.first).toBeGreaterThan(before!.target);
          // That many days lie in between.
          expect(after!.from - before!.to - 1).toBeGreaterThanOrEqual(sequenceLength);
        }
      }),
      { numRuns: 60 },
    );
    expect(prepared).toBeGreaterThan(10);
  });

  it('of 500 days has 70, 15 and 15 % of those on which windows end', () => {
    const dataset = prepareDataset([walk('A', { to: 500 })], { sequenceLength: 20 });
    // 500 days, less 29 until all features are known, 19 until the first window is complete, the last day, and two
    // gaps.
    expect(500 - 29 - 19 - 1 - 2 * 20).toBe(411);
    expect(PARTS.map((name) => dataset[name].rows.length)).toEqual([288, 62, 61]);
    expect(dataset.test.to).toBe(dayOf(498));
  });

  it('knows nothing of later bars in its rows, and nothing but the training part in its scaler', () => {
    const bars = [walk('A', { to: 300 }), walk('B', { from: 40, to: 300, seed: 2 })];
    const before = prepareDataset(bars, { sequenceLength: 12 });
    const rows = barOfRow(bars);
    const { inputs } = marketRows(bars, 12);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 299 }), fc.nat(1_000), (day, seed) => {
        const changed = bars.map((ticker, n) => {
          const other = walk(ticker.ticker, { from: n * 40, to: 300, seed: seed + 3 });
          const later = (column: 'open' | 'high' | 'low' | 'close' | 'volume') =>
            ticker[column].map((value, at) => (ticker.dates[at]! >= dayOf(day) ? other[column][at]! : value));
          return {
            ...ticker,
            open: later('open'),
            high: later('high'),
            low: later('low'),
            close: later('close'),
            volume: later('volume'),
          };
        });
        const early = (values: Float64Array) =>
          values.filter((_, at) => rows[Math.floor(at / F)]!.date < dayOf(day));
        expect(early(marketRows(changed, 12).inputs)).toEqual(early(inputs));
        const after = prepareDataset(changed, { sequenceLength: 12 });
        for (const name of PARTS) expect(after[name]).toEqual(before[name]);
        // The last windows of the training part have their targets on the day after.
        const seen = dayOf(day - 1) <= before.train.to;
        expect(isDeepStrictEqual(after.scaler, before.scaler)).toBe(!seen);
        expect(after.hash).not.toBe(before.hash);
      }),
      { numRuns: 25 },
    );
  });

  it('is scaled by the rows that training windows cover, and by their targets', () => {
    const bars = [walk('A', { to: 300 }), walk('B', { from: 40, to: 300, seed: 2 })];
    const { inputs, targets, scaler, train } = prepareDataset(bars, { sequenceLength: 12 });
    const raw = marketRows(bars, 12);
    const covered = [
      ...new Set([...train.rows].flatMap((row) => Array.from({ length: 12 }, (_, at) => row - at))),
    ];
    const columns: [Float64Array, Float32Array, keyof typeof scaler, number, readonly number[]][] = [
      [raw.inputs, inputs, 'inputs', F, covered],
      [raw.targets, targets, 'targets', 2, [...train.rows]],
    ];
    for (const [values, scaled, name, width, rows] of columns) {
      for (let column = 0; column < width; column++) {
        const of = rows.map((row) => values[row * width + column]!);
        const mean = of.reduce((a, b) => a + b) / of.length;
        const deviation = Math.sqrt(of.reduce((sum, value) => sum + (value - mean) ** 2, 0) / of.length);
        expect(scaler[name].mean[column]).toBeCloseTo(mean, 10);
        expect(scaler[name].deviation[column]).toBeCloseTo(deviation, 10);
        const at = train.rows[5]! * width + column;
        expect(scaled[at]).toBeCloseTo((values[at]! - mean) / deviation, 5);
      }
    }
  });

  it('leaves a column that never changes at 0', () => {
    const bars = walk('A', { to: 300 });
    bars.volume.fill(1e6);
    const { scaler, inputs, train } = prepareDataset([bars], { sequenceLength: 12 });
    const column = MODEL_FEATURES.indexOf('volume_zscore_20');
    expect([scaler.inputs.mean[column], scaler.inputs.deviation[column]]).toEqual([0, 1]);
    expect(inputs[train.rows[0]! * F + column]).toBe(0);
  });

  it('has the same hash for the same bars and window only', () => {
    const [a, b] = [1, 2].map((seed) => [walk('A', { to: 300, seed })]);
    const hash = (bars = a!, sequenceLength = 12) => prepareDataset(bars, { sequenceLength }).hash;
    expect(hash()).toMatch(/^[0-9a-f]{64}$/);
    expect(hash()).toBe(hash());
    expect(new Set([hash(), hash(b), hash(a, 13)]).size).toBe(3);
  });

  it('fills batches with windows, oldest day first, and their targets', () => {
    const dataset = prepareDataset([walk('A', { to: 300 })], { sequenceLength: 12 });
    const x = new Float32Array(2 * 12 * F + 1).fill(7);
    const y = new Float32Array(2 * 2 + 1).fill(7);
    const order = [...dataset.train.rows].toReversed();
    fillBatch(dataset, order, 3, 2, x, y);
    for (const [window, row] of order.slice(3, 5).entries()) {
      for (let day = 0; day < 12; day++) {
        const from = (row - 11 + day) * F;
        const at = (window * 12 + day) * F;
        expect(x.subarray(at, at + F)).toEqual(dataset.inputs.subarray(from, from + F));
      }
      expect(y.subarray(window * 2, window * 2 + 2)).toEqual(dataset.targets.subarray(row * 2, row * 2 + 2));
    }
    expect([x.at(-1), y.at(-1)]).toEqual([7, 7]);
  });

  it.each([
    ['no bars', [], '0 tickers on 0 trading days give too few windows of 12 days: 0 for train, 0 for'],
    ['few bars', [walk('A', { to: 60 })], '1 tickers on 60 trading days give too few'],
  ])('of %s is none, and says how little there is', (_, bars, message) => {
    expect(() => prepareDataset(bars, { sequenceLength: 12 })).toThrow(
      expect.objectContaining({
        fault: 'TOO_LITTLE_DATA',
        message: expect.stringContaining(message) as string,
      }),
    );
  });
});
