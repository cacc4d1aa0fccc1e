import { describe, expect, it } from 'vitest';
import { measurePerformance, performanceOfReturns } from './performance.ts';

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
