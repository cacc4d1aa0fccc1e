import { z } from 'zod';
import { defineEvent } from '../define.ts';
import { Count } from '../schemas.ts';

/** The stream of an update of the market data. */
export const marketStream = (updateId: string): string => `market-${updateId}`;

export const MarketUpdateStarted = defineEvent('market', 'MarketUpdateStarted', {
  update_id: z.string(),
  source: z.string(),
  tickers: z.array(z.string()),
});

export const TickerUpdated = defineEvent('market', 'TickerUpdated', {
  update_id: z.string(),
  ticker: z.string(),
  /** The number of added or replaced bars. */
  bars: Count,
  splits: Count,
  dividends: Count,
  /** Warnings of the validation: gaps, zero volume, high below low, jumps; the first hundred. */
  warnings: z.array(z.object({ date: z.string(), kind: z.string(), detail: z.string() })),
  warnings_total: Count,
  first: z.string().nullable(),
  last: z.string().nullable(),
});

/** An update of one ticker failed. Other tickers are not affected. */
export const TickerUpdateFailed = defineEvent('market', 'TickerUpdateFailed', {
  update_id: z.string(),
  ticker: z.string(),
  faults: z.array(z.string()),
});

export const MarketUpdateFinished = defineEvent('market', 'MarketUpdateFinished', {
  update_id: z.string(),
  updated: Count,
  failed: Count,
});
