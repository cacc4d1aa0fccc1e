import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exponentialAverage, macd, simpleAverage } from '../../actors/strategy/averages.ts';
import { logReturn } from '../../actors/strategy/price-changes.ts';
import { measurePerformance } from '../backtest/performance.ts';
import { readTable } from '../backtest/reference.suite.ts';
import { bollingerPercent, standardDeviation } from '../../actors/strategy/volatility.ts';
import { averageTrueRange, relativeStrength } from '../../actors/strategy/rsi-and-atr.ts';

const folder = join(import.meta.dirname, '../../../shared/market');
const present = existsSync(join(folder, 'reference-cases.json'));
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

const reason = present ? '' : ' (skipped: ../shared/market is missing)';

/** Compares our values with a column of another project's table wherever it has values; ours must exist there. */
function expectColumn(ours: Float64Array, theirs: readonly number[], allowed: number, tail = 0): void {
  let compared = 0;
  theirs.forEach((value, at) => {
    if (Number.isNaN(value) || at < tail) return;
    compared += 1;
    expect(Math.abs(ours[at]! - value), `row ${at}: ${ours[at]} instead of ${value}`).toBeLessThan(allowed);
  });
  expect(compared).toBeGreaterThan(100);
}

const input = (file: string) => {
  const { columns } = readTable(read(`reference_inputs/${file}`));
  return (name: string) => {
    const column = columns[name.toLowerCase()];
    if (column === undefined) throw new Error(`${file} has no column ${name}`);
    return column;
  };
};

describe.runIf(present)(`indicators against whole columns of Lean's test data${reason}`, () => {
  it('ATR in Wilder’s smoothing', () => {
    const spy = input('lean_spy_atr_wilder.txt');
    const ours = averageTrueRange(spy('high'), spy('low'), spy('close'), 14);
    expectColumn(ours, spy('Average True Range 14'), 5.1e-6);
    expect(ours[12]).toBeNaN();
  });

  it('standard deviation of 10 closes as of a whole population', () => {
    const spy = input('lean_spy_var.txt');
    const deviation = standardDeviation(spy('close'), 10, 0);
    expectColumn(
      deviation.map((value) => value ** 2),
      spy('var'),
      1e-9,
    );
  });

  it('SMA, EMA, MACD and RSI', () => {
    const index = input('lean_spy_with_indicators.txt');
    expectColumn(simpleAverage(index('close'), 14), index('sma14'), 0.006);
    expectColumn(exponentialAverage(index('close'), 14), index('ema14'), 0.006);
    expectColumn(macd(index('close')).macd, index('macd 12 26'), 2e-4, 26);
    expectColumn(relativeStrength(index('close')), index('rsi 14 wilder'), 5.1e-6);
  });

  it('MACD and its signal', () => {
    const spy = input('lean_spy_with_macd.txt');
    const ours = macd(spy('close'));
    expectColumn(ours.macd, spy('macd'), 6e-6);
    expectColumn(ours.signal, spy('signal'), 6e-6);
  });

  it('Bollinger’s %b', () => {
    const spy = input('lean_spy_bollinger_bands.txt');
    expectColumn(bollingerPercent(spy('close')), spy('%b'), 1e-4);
  });

  it('log returns over 14 days', () => {
    const spy = input('lean_spy_logr14.txt');
    expectColumn(logReturn(spy('close'), 14), spy('logr14'), 1e-7);
  });
});

describe.runIf(present)(`statistics of ffn's price table${reason}`, () => {
  it.each(['aapl', 'msft', 'c'])(
    '%s: total return, drawdown and volatility as their definitions say',
    (name) => {
      const prices = input('ffn_test_data.csv')(name);
      const { totalReturn, maxDrawdown, annualVolatility, sharpe } = measurePerformance(prices, 252);
      let deepest = 0;
      prices.forEach((price, at) => {
        deepest = Math.min(deepest, price / Math.max(...prices.slice(0, at + 1)) - 1);
      });
      const changes = prices.slice(1).map((price, at) => price / prices[at]! - 1);
      const deviation = standardDeviation(changes, changes.length, 1).at(-1)!;
      const mean = simpleAverage(changes, changes.length).at(-1)!;
      expect(totalReturn).toBeCloseTo(prices.at(-1)! / prices[0]! - 1, 9);
      expect(maxDrawdown).toBeCloseTo(deepest, 9);
      expect(annualVolatility).toBeCloseTo(deviation * Math.sqrt(252), 9);
      expect(sharpe).toBeCloseTo((mean / deviation) * Math.sqrt(252), 9);
    },
  );
});
