import { approach, INVESTED } from './position-targets.ts';
import type { Strategy } from './strategy.ts';

/**
 * Buy and hold: puts the same share of the account into each ticker that trades in the first session in which it may act,
 * and keeps it. What others are measured by.
 */
export function holdStrategy(): Strategy & { readonly buying: ReadonlySet<string> } {
  const unsettled = new Set<string>();
  let share: number | null = null;
  return {
    /** What is not bought yet, or not fully. */
    buying: unsettled,
    name: 'hold',
    parameters: { invested: INVESTED },
    warmUp: 0,
    usesPredictions: false,
    onSession(bars, view) {
      if (view === null) return [];
      if (share === null) {
        for (const { ticker } of bars) unsettled.add(ticker);
        if (unsettled.size === 0) return [];
        share = INVESTED / unsettled.size;
      }
      const weight = share;
      const closes = new Map(bars.map(({ ticker, close }) => [ticker, close]));
      return approach(
        unsettled,
        (ticker) => {
          const close = closes.get(ticker);
          return close === undefined ? null : { weight, close };
        },
        view,
      );
    },
  };
}
