import { BelegError } from '../../events/errors.ts';
import type { OpenedSource } from '../../services/market/sources/open-source.ts';
import type { Fetched } from '../../services/market/sources/source.ts';
import { TICKERS, type FakeMarket } from '../../services/trading/market.suite.ts';
import type { Simulation } from './simulation.ts';

/** A remote source of bars: it has those of a small market, and is sometimes unreachable. */
export function simulatedSource(
  simulation: Simulation,
  market: FakeMarket,
  isHealed: () => boolean,
): OpenedSource {
  const answer = async (): Promise<void> => {
    await simulation.sleep(simulation.between(1, 300));
    if (!isHealed() && simulation.chance(0.1)) throw new BelegError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
  };
  const all = Array.from({ length: market.options.days }, (_, n) => market.session(n));
  return {
    key: 'csv:simulated',
    polled: false,
    source: {
      name: 'csv',
      synthetic: false,
      index: null,
      feedStart: 'year-before-end',
      async tickers() {
        await answer();
        return TICKERS;
      },
      async fetch(ticker, since, signal): Promise<Fetched> {
        await answer();
        signal.throwIfAborted();
        const sessions = all.filter(({ date }) => since === null || date >= since);
        return {
          bars: sessions.flatMap(({ date, bars: { [ticker]: bar } }) => (bar ? [{ date, ...bar }] : [])),
          splits: sessions.flatMap(({ date, splits: { [ticker]: ratio } }) =>
            ratio ? [{ date, ratio }] : [],
          ),
          dividends: sessions.flatMap(({ date, dividends: { [ticker]: amount } }) =>
            amount === undefined ? [] : [{ date, amount }],
          ),
          convention: { bars: 'as-traded', dividends: 'as-traded' },
        };
      },
    },
  };
}
