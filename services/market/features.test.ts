import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../events/messages/market.ts';
import { computeFeatures, FEATURE_MEMORY, featureTable, type FeatureBar } from './features.ts';

/** Bars whose prices and volumes change by these fractions. */
function barsOf(changes: readonly number[]): FeatureBar[] {
  let close = 100;
  return changes.map((change) => {
    const open = close;
    close *= 1 + change / 100;
    return {
      open,
      close,
      high: Math.max(open, close) * 1.01,
      low: Math.min(open, close) * 0.99,
      volume: Math.round(10_000 * (1 + Math.abs(change))),
    };
  });
}

const walk = (size: { minLength?: number; maxLength: number }) =>
  fc.array(fc.double({ min: -9, max: 10, noNaN: true }), size).map(barsOf);

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b) / values.length;

/** The number of bars that each feature needs. */
const NEEDS = {
  return: 2,
  log_return: 2,
  return_5: 6,
  return_20: 21,
  volatility: 21,
  sma_ratio_10_30: 30,
  ema_12: 12,
  ema_26: 26,
  macd: 26,
  macd_signal: 34,
  rsi_14: 15,
  atr_14: 14,
  bollinger_percent_b: 20,
  momentum_12: 13,
  volume_zscore_20: 20,
};

describe('features', () => {
  it('are there as soon as there are enough bars, and not before', () => {
    const bars = barsOf(Array.from({ length: 40 }, (_, at) => (at % 7) - 3));
    for (let count = 0; count <= bars.length; count += 1) {
      const features = computeFeatures(bars.slice(0, count));
      for (const name of FEATURES)
        expect([name, count, features[name] !== undefined]).toEqual([name, count, count >= NEEDS[name]]);
    }
  });

  it('are what their formulas say', () => {
    const bars = barsOf(Array.from({ length: 40 }, (_, at) => ((at * 5) % 9) - 4));
    const closes = bars.map((bar) => bar.close).reverse();
    const [now = 0, before = 0] = closes;
    const returns = closes.slice(0, 20).map((close, at) => close / closes[at + 1]! - 1);
    const squares = (values: readonly number[]) => mean(values.map((value) => (value - mean(values)) ** 2));
    const last20 = closes.slice(0, 20);
    const volumes = bars
      .map((bar) => bar.volume)
      .reverse()
      .slice(0, 20);
    const expected = {
      return: now / before - 1,
      log_return: Math.log(now) - Math.log(before),
      return_5: now / closes[5]! - 1,
      return_20: now / closes[20]! - 1,
      volatility: Math.sqrt((squares(returns) * 20) / 19),
      sma_ratio_10_30: mean(closes.slice(0, 10)) / mean(closes.slice(0, 30)),
      bollinger_percent_b:
        (now - mean(last20) + 2 * Math.sqrt(squares(last20))) / (4 * Math.sqrt(squares(last20))),
      momentum_12: now - closes[12]!,
      volume_zscore_20: (volumes[0]! - mean(volumes)) / Math.sqrt(squares(volumes)),
    };
    const features = computeFeatures(bars);
    for (const [name, value] of Object.entries(expected)) {
      expect([name, features[name as keyof typeof expected]]).toEqual([name, expect.closeTo(value, 10)]);
    }
    expect(features.macd).toBeCloseTo(features.ema_12! - features.ema_26!, 10);
  });

  it('of the whole history at once are those of each bar by itself: no row looks ahead', () => {
    fc.assert(
      fc.property(walk({ maxLength: 80 }), (bars) => {
        const table = featureTable(bars);
        bars.forEach((_, at) => {
          const alone = computeFeatures(bars.slice(0, at + 1));
          for (const name of FEATURES) {
            const value = table[name][at]!;
            expect([name, Number.isNaN(value) ? undefined : value]).toEqual([name, alone[name]]);
          }
        });
      }),
      { numRuns: 30 },
    );
  });

  it('do not change when bars older than the memory are left out', () => {
    fc.assert(
      fc.property(walk({ minLength: FEATURE_MEMORY + 100, maxLength: FEATURE_MEMORY + 300 }), (bars) => {
        const table = featureTable(bars);
        const features = computeFeatures(bars);
        for (const name of FEATURES) {
          const value = table[name].at(-1)!;
          expect(Math.abs(features[name]! - value)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(value)));
        }
      }),
      { numRuns: 20 },
    );
  });
});
