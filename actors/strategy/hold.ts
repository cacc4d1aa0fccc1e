import { approach, INVESTED, type Wanted } from './position-targets.ts';
import type { Strategy } from './strategy.ts';

/**
 * Buy and hold: puts the same share of the account into each ticker once it trades, and keeps it. Other strategies are
 * compared with it.
 */
export function holdStrategy(
  tickers: readonly string[],
): Strategy & { readonly buying: ReadonlySet<string> } {
  const unsettled = new Set(tickers);
  const weight = INVESTED / tickers.length;
  return {
    /** Tickers that are not bought yet, or only in part. */
    buying: unsettled,
    name: 'hold',
    parameters: { invested: INVESTED },
    warmUp: 0,
    usesPredictions: false,
    onSession(bars, view) {
      if (view === null) return [];
      const wantedOf = (ticker: string): Wanted | null => {
        const close = bars[ticker]?.close;
        return close === undefined ? null : { weight, close };
      };
      return approach(unsettled, wantedOf, view);
    },
  };
}
