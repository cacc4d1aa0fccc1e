import type { Strategy } from '../../actors/strategy/port.ts';

/**
 * Mean reversion: buys what has fallen fast while its long trend is up, and sells it once it has recovered.
 * (Connors and Alvarez, Short Term Trading Strategies That Work, 2008)
 */
export default {
  parameters: {
    /** Closes of the fast index of relative strength. */
    period: { default: 2, min: 2, max: 14 },
    /** It buys below this. */
    low: { default: 10, min: 1, max: 40 },
    /** It sells above this. */
    high: { default: 70, min: 50, max: 99 },
    /** Closes of the long trend. */
    trend: { default: 200, min: 20, max: 250 },
    /** Share of the account that one position gets. */
    weight: { default: 0.2, min: 0.01, max: 1 },
  },
  // More than the longest average, because a ticker may miss some of these days.
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
