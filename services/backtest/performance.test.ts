import { array, assert, double, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposureOf } from './holdings.ts';
import {
  measurePerformance,
  medianOf,
  performanceOfReturns,
  riskFreeOf,
  rolling,
  turnoverOf,
} from './performance.ts';

describe('the performance of an account', () => {
  it('is that of the returns between its values', () => {
    expect(measurePerformance([100, 150, 75, 75], 252)).toEqual(performanceOfReturns([0.5, -0.5, 0], 252));
  });

  it('measures the fall from the start, not only from a later high', () => {
    expect(measurePerformance([100, 80, 90], 252).maxDrawdown).toBeCloseTo(-0.2, 12);
  });

  it('counts as a win what gained, of what moved at all', () => {
    expect(performanceOfReturns([0, 0.1, -0.1, 0.2], 252)).toMatchObject({
      winRate: 2 / 3,
      best: 0.2,
      worst: -0.1,
    });
  });

  it('a year of 12 months that doubles: 100 % a year', () => {
    const equity = Array.from({ length: 13 }, (_, month) => 100 * 2 ** (month / 12));
    expect(measurePerformance(equity, 12).annualReturn).toBeCloseTo(1, 12);
  });

  it('leaves undefined what is not: nothing happened yet, or no risk was taken', () => {
    expect(new Set(Object.values(measurePerformance([100], 252)))).toEqual(new Set([0, null]));
    expect(measurePerformance([100, 100, 100], 252)).toMatchObject({
      totalReturn: 0,
      annualVolatility: 0,
      sharpe: null,
      sortino: null,
      maxDrawdown: 0,
      calmar: null,
      winRate: null,
    });
    expect(performanceOfReturns([0.1, 0.1, 0.1], 252).sharpe).toBeNull();
  });

  it('an account that lost all of it, or more, has lost 100 % a year', () => {
    expect(measurePerformance([100, 50, 0], 252)).toMatchObject({ totalReturn: -1, annualReturn: -1 });
    expect(measurePerformance([100, -50], 252)).toMatchObject({ totalReturn: -1.5, annualReturn: -1 });
  });
});

describe('a risk-free rate', () => {
  it('of a year is compounded of those of its periods', () => {
    expect((1 + riskFreeOf(5, 252)) ** 252).toBeCloseTo(1.05, 12);
    expect(riskFreeOf(0, 252)).toBe(0);
    expect(riskFreeOf(12, 1)).toBeCloseTo(0.12, 12);
  });

  it('leaves Sharpe and Sortino what those of the returns above it are, and changes no return', () => {
    const hundredths = integer({ min: -2_000, max: 2_000 }).map((value) => value / 10_000);
    const returns = array(hundredths, { minLength: 3, maxLength: 60 }).filter(
      (values) => new Set(values).size > 1 && Math.min(...values) < 0,
    );
    assert(
      property(returns, double({ min: 0, max: 20, noNaN: true }), (values, percent) => {
        const above = performanceOfReturns(
          values.map((value) => value - riskFreeOf(percent, 252)),
          252,
        );
        const { sharpe, sortino, totalReturn, annualVolatility } = performanceOfReturns(
          values,
          252,
          undefined,
          percent,
        );
        const none = performanceOfReturns(values, 252);
        expect([totalReturn, annualVolatility]).toEqual([none.totalReturn, none.annualVolatility]);
        expect(sharpe).toBeCloseTo(above.sharpe!, 6);
        expect(sortino).toBeCloseTo(above.sortino!, 6);
      }),
    );
  });
});

it('exposure is a mean over closes', () => {
  const points = [
    { session: '2020-01-02', gross: 0, net: 0, positions: 0 },
    { session: '2020-01-03', gross: 1, net: -0.5, positions: 2 },
  ];
  expect(exposureOf(points)).toEqual({ gross: 0.5, net: -0.25, inMarket: 0.5 });
  expect(exposureOf([])).toEqual({ gross: null, net: null, inMarket: null });
});

it('turnover counts purchases or sales, whichever are less', () => {
  const fills = [
    { action: 'buy', value: 300 },
    { action: 'sell', value: 100 },
    { action: 'sell', value: 50 },
  ] as const;
  expect(turnoverOf(fills, [900, 1_100], 2)).toBeCloseTo(150 / 1_000 / 2, 12);
  expect(turnoverOf([], [100], 1)).toBe(0);
});

it('the median is the middle, or the mean of both', () => {
  expect(medianOf([3, 1, 2])).toBe(2);
  expect(medianOf([4, 1, 2, 3])).toBe(2.5);
  expect(medianOf([])).toBeNull();
});

it('rolls over whole windows only', () => {
  const values = rolling([0.01, 0.03, 0.01], { window: 2, perYear: 1 });
  expect(values.map(({ at }) => at)).toEqual([1, 2]);
  expect(values[0]!.volatility).toBeCloseTo(0.02 / Math.SQRT2, 12);
  expect(values[0]!.sharpe).toBeCloseTo(Math.SQRT2, 12);
  expect(rolling([0.01], { window: 2, perYear: 1 })).toEqual([]);
});
