import type { Strategy } from '../../actors/strategy/port.ts';

/**
 * Momentum: once a month, the tickers that have risen most over the past months share the account equally.
 * (Jegadeesh and Titman, Returns to Buying Winners and Selling Losers, 1993)
 */
export default {
  parameters: {
    /** Number of sessions over which the rise is measured. */
    lookback: { default: 120, min: 20, max: 250 },
    /** Number of tickers that are held. */
    held: { default: 3, min: 1, max: 50 },
  },
  // History is longer than the longest `lookback`, because a ticker may have no bar on some of these days.
  history: 300,

  onSession({ date, previous, past, universe, parameters, account }) {
    // Targets are only given in the first session of a month.
    if (previous !== null && previous.slice(0, 7) === date.slice(0, 7)) return;

    const rises = universe.flatMap((ticker) => {
      const closes = past.closes(ticker, parameters.lookback + 1);
      if (closes.length <= parameters.lookback) return [];
      return [{ ticker, rise: closes.at(-1)! / closes[0]! - 1 }];
    });
    const best = rises
      .filter(({ rise }) => rise > 0)
      .sort((one, other) => other.rise - one.rise)
      .slice(0, parameters.held);
    const chosen = new Set(best.map(({ ticker }) => ticker));

    return {
      targets: [
        ...Object.keys(account.positions)
          .filter((ticker) => !chosen.has(ticker))
          .map((ticker) => ({ ticker, weight: 0, reason: 'no longer among the best' })),
        ...best.map(({ ticker }) => ({ ticker, weight: 0.9 / best.length, reason: 'momentum' })),
      ],
      plot: { rising: rises.length },
    };
  },
} satisfies Strategy<'lookback' | 'held'>;
