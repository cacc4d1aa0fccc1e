import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { Ticker } from '../../events/messages/ticker.ts';
import { listOf, whole } from '../foundation/settings-fields.ts';

/** The source of bars. */
type MarketSource =
  /** `demo` is a synthetic market, the same on every machine. */
  { readonly kind: 'demo' } | { readonly kind: 'csv'; readonly folder: string } | { readonly kind: 'yahoo' };

const Source = z
  .string()
  .default('demo')
  .transform((text, context): MarketSource => {
    if (text === 'demo' || text === 'yahoo') return { kind: text };
    if (text.startsWith('csv:') && text.length > 4) return { kind: 'csv', folder: resolve(text.slice(4)) };
    context.addIssue({ code: 'custom', message: 'must be demo, yahoo, or csv: followed by a folder' });
    return z.NEVER;
  });

const TickerList = z
  .string()
  .transform((value) => [...new Set(listOf(value))])
  .refine((tickers) => tickers.every((ticker) => Ticker.safeParse(ticker).success), {
    message: 'must be tickers like AAPL, separated by commas',
  });

/** The source of market data, and its tickers. */
export const MarketVariables = {
  TD_SOURCE: Source.meta({
    description: 'market data: `demo` (synthetic), `csv:` followed by a folder, or `yahoo`',
    default: '`demo`',
  }),
  TD_TICKERS: TickerList.optional().meta({
    description: 'tickers to trade, separated by commas',
    default: 'all tickers of the source',
  }),
  TD_INDEX: Ticker.optional().meta({
    description: 'ticker of the index that the others are compared with',
    default: 'the index of the source',
  }),
  TD_FEED_FROM: z.iso
    .date('must be a date like 2020-01-31')
    .optional()
    .meta({ description: 'first session, as `YYYY-MM-DD`', default: 'a year before the last one' }),
  TD_POLL_MINUTES: whole(1, 10_080, 60).describe('minutes between updates from Yahoo'),
};

export type MarketSettings = ReturnType<typeof readMarketSettings>;

export function readMarketSettings(
  variables: z.output<z.ZodObject<typeof MarketVariables>>,
  dataDir: string,
  currency: string,
) {
  const { TD_SOURCE: source } = variables;
  const folder = source.kind === 'csv' ? basename(source.folder) : null;
  return {
    source,
    /**
     * The name of the source in an account's record. It has only the name of a folder and not its path, so that the
     * folder can be moved.
     */
    sourceName: folder === null ? source.kind : `csv:${folder}`,
    /** The tickers to fetch from Yahoo, or to take from a folder; `null` for all that the source lists. */
    tickers: variables.TD_TICKERS ?? null,
    /** The index to compare with; `null` for the source's own. */
    index: variables.TD_INDEX ?? null,
    // Each source has a file of its own, so that data of two sources is never mixed.
    dbPath: join(dataDir, `market-${folder === null ? source.kind : `csv-${folder}`}.db`),
    /** The folder of the cache of parsed tables. */
    tableCache: join(dataDir, 'tables'),
    /** The first session of the feed, `YYYY-MM-DD`; `null` for the default of the source. */
    feedFrom: variables.TD_FEED_FROM ?? null,
    /** The currency of the account: tickers in other currencies are left out. */
    currency,
    /** Minutes between updates of a source that grows by itself (yahoo). */
    pollMinutes: variables.TD_POLL_MINUTES,
  };
}

/** Faults in how variables are combined. */
export function marketFaults(env: Readonly<Record<string, string>>): string[] {
  return env['TD_SOURCE'] === 'yahoo' && env['TD_TICKERS'] === undefined
    ? ['TD_TICKERS: required with TD_SOURCE=yahoo, for example AAPL,MSFT']
    : [];
}
