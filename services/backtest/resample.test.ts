import { describe, expect, it } from 'vitest';
import { resample } from './resample.ts';

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
