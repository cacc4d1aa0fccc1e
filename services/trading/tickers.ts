import type { Market } from './ask-market.ts';

/** Milliseconds in which the market is not queried again for a ticker that it does not have. */
const FRESH_MS = 1_000;

/**
 * Tells whether the market has a ticker. The list is cached: the market is only queried for a ticker that is not in it,
 * which rejects while the market service is away. `now` is in milliseconds.
 */
export function tickersOf(
  market: Pick<Market, 'tickers'>,
  now: () => number = () => performance.now(),
): (ticker: string) => Promise<boolean> {
  let known: ReadonlySet<string> = new Set();
  let asked = -Infinity;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    known = new Set(await market.tickers());
    asked = now();
  }

  return async (ticker) => {
    if (!known.has(ticker) && now() - asked >= FRESH_MS) {
      await (asking ??= ask().finally(() => (asking = undefined)));
    }
    return known.has(ticker);
  };
}
