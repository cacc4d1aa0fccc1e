import { describe, expect, it } from 'vitest';
import { relativeTo } from './relative-to-benchmark.ts';

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
