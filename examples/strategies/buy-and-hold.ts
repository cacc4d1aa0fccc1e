import type { Strategy } from '../../actors/strategy/port.ts';

/** Buy and hold: puts the same share of the account into each ticker that trades on the first day, and keeps it. */
export default {
  parameters: { invested: { default: 0.9, min: 0.1, max: 1 } },
  history: 1,

  onSession({ bars, universe, parameters, state }) {
    if (state !== null) return;
    const tickers = universe.filter((ticker) => bars[ticker] !== undefined);
    const weight = parameters.invested / tickers.length;
    return {
      targets: tickers.map((ticker) => ({ ticker, weight, reason: 'first day' })),
      state: { bought: tickers },
    };
  },
} satisfies Strategy<'invested'>;
