import { describe, expect, it } from 'vitest';
import { exposureOf, medianOf, relativeTo, rolling, turnoverOf } from './measures.ts';
import { resample } from './resample.ts';

describe('against a benchmark', () => {
  const benchmark = [0.01, -0.02, 0.03, 0.005, -0.01];

  it('what is twice the benchmark plus a constant has a beta of 2 and that constant as alpha', () => {
    const returns = benchmark.map((value) => 2 * value + 0.001);
    const { alpha, beta, correlation } = relativeTo(returns, benchmark, { perYear: 252 });
    expect(beta).toBeCloseTo(2, 12);
    expect(alpha).toBeCloseTo(1.001 ** 252 - 1, 10);
    expect(correlation).toBeCloseTo(1, 12);
  });

  it('the benchmark itself has no tracking error, and no information ratio', () => {
    expect(relativeTo(benchmark, benchmark, { perYear: 252 })).toMatchObject({
      beta: 1,
      trackingError: 0,
      informationRatio: null,
    });
  });

  it('a benchmark that does not move gives no beta', () => {
    expect(relativeTo([0.01, 0.02], [0, 0], { perYear: 252 })).toMatchObject({ beta: null, alpha: null });
  });

  it('the information ratio is the mean difference over its deviation, of a year', () => {
    const returns = [0.02, 0.0, 0.02, 0.0];
    const flat = [0, 0, 0, 0];
    // The mean is .01 and the deviation (ddof 1) .01 × √(4/3).
    expect(relativeTo(returns, flat, { perYear: 12 }).informationRatio).toBeCloseTo(
      Math.sqrt(3 / 4) * Math.sqrt(12),
      12,
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

describe('resampled returns', () => {
  const returns = Array.from({ length: 250 }, (_, n) => Math.sin(n * 12.9898) * 0.01 + 0.0005);

  it('are the same every time, and hold the ratio that was seen', () => {
    const first = resample(returns, 252)!;
    expect(resample(returns, 252)).toEqual(first);
    const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
    const deviation = Math.sqrt(
      returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1),
    );
    const sharpe = (mean / deviation) * Math.sqrt(252);
    expect(first.sharpe.low).toBeLessThan(sharpe);
    expect(first.sharpe.high).toBeGreaterThan(sharpe);
    expect(first.maxDrawdown.worst).toBeLessThan(first.maxDrawdown.median!);
  });

  it('are none of too few', () => {
    expect(resample(returns.slice(0, 59), 252)).toBeNull();
  });
});

it('alpha counts what is above the risk-free rate, of the account and of the benchmark', () => {
  const riskFree = 1.1 ** (1 / 12) - 1;
  const market = [0.02, -0.01, 0.03, 0.01];
  const above = relativeTo(
    RETURNS_OF_FOUR.map((value) => value - riskFree),
    market.map((value) => value - riskFree),
    { perYear: 12 },
  );
  const { alpha, beta } = relativeTo(RETURNS_OF_FOUR, market, { perYear: 12, riskFreePercent: 10 });
  expect(alpha).toBeCloseTo(above.alpha!, 12);
  expect(beta).toBeCloseTo(above.beta!, 12);
  expect(alpha).not.toBeCloseTo(relativeTo(RETURNS_OF_FOUR, market, { perYear: 12 }).alpha!, 4);
});

const RETURNS_OF_FOUR = [0.01, 0.02, 0.05, -0.01];
