import type { Strategy } from '../../actors/strategy/port.ts';

/**
 * Mean reversion: buys a ticker that has fallen fast although its long trend is up, and sells it when it has recovered.
 * (Connors and Alvarez, Short Term Trading Strategies That Work, 2008)
 */
export default {
  parameters: {
    /** Number of closes in the relative strength index (RSI). */
    period: { default: 2, min: 2, max: 14 },
    /** Below this relative strength a ticker is bought. */
    low: { default: 10, min: 1, max: 40 },
    /** Above this relative strength a ticker is sold. */
    high: { default: 70, min: 50, max: 99 },
    /** Number of closes in the average that shows the long trend. */
    trend: { default: 200, min: 20, max: 250 },
    /** Share of the account for one position. */
    weight: { default: 0.2, min: 0.01, max: 1 },
  },
  // History is longer than the longest average, because a ticker may have no bar on some of these days.
  history: 300,

  onSession({ bars, past, universe, parameters, account, indicators }) {
    const { period, low, high, trend, weight } = parameters;
    const targets = Object.keys(bars).flatMap((ticker) => {
      const closes = past.closes(ticker);
      if (closes.length < trend) return [];
      const strength = indicators.relativeStrength(closes, period).at(-1)!;
      const average = indicators.simpleAverage(closes, trend).at(-1)!;
      const isHeld = account.positions[ticker] !== undefined;
      if (!isHeld && universe.includes(ticker) && strength < low && closes.at(-1)! > average) {
        return [{ ticker, weight: weight, reason: 'fallen fast' }];
      }
      return isHeld && strength > high ? [{ ticker, weight: 0, reason: 'recovered' }] : [];
    });
    return { targets };
  },
} satisfies Strategy<'period' | 'low' | 'high' | 'trend' | 'weight'>;
