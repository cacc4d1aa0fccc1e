import type { Market } from './ask-market.ts';

/** Milliseconds in which the market is not queried again for a ticker that it does not have. */
const FRESH_MS = 1_000;

/** The tickers of the market, cached. `now` is in milliseconds. */
export function tickersOf(market: Pick<Market, 'tickers'>, now: () => number = () => performance.now()) {
  let known: ReadonlySet<string> = new Set();
  let asked = -Infinity;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    known = new Set(await market.tickers());
    asked = now();
  }

  const askOnce = (): Promise<void> => (asking ??= ask().finally(() => (asking = undefined)));

  return {
    /**
     * Whether the market has a ticker. The market is only asked about a ticker that is not in the list; this rejects
     * while the market service is away.
     */
    async has(ticker: string): Promise<boolean> {
      if (!known.has(ticker) && now() - asked >= FRESH_MS) await askOnce();
      return known.has(ticker);
    },
    /** To be called when the market has changed. If it does not answer, the list stays as it was. */
    async refresh(): Promise<void> {
      await askOnce().catch(() => undefined);
    },
  };
}
