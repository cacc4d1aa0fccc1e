import { parseRatio, ratioNumber } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { adjustedCloses, splitAdjusted } from './adjust-prices.ts';
import { columnsOf } from './bar-columns.ts';
import { LAST_DATE } from './bar-tables.ts';
import { computeFeatures, FEATURE_MEMORY } from './features.ts';
import { indexOf, isIndexOnly } from './tickers-to-update.ts';
import type { MarketSettings } from './settings.ts';
import type { BarSource, SourceBar } from './sources/source.ts';
import type { MarketStore } from './store.ts';

interface QueryOptions {
  readonly store: MarketStore;
  readonly source: BarSource;
  readonly settings: MarketSettings;
  /** Whether the first update is running or has not begun, so that missing data may still come. */
  readonly isLoading: () => boolean;
}

interface AsOf {
  readonly ticker: string;
  readonly as_of: string | null;
}

/** A session's date as a time, because the feed only has days. */
const timestamp = (date: string): string => `${date} 00:00:00`;

/**
 * The answers of the market service from its store; see events/messages/market.ts. An answer as of a day ignores later
 * bars, splits and dividends.
 */
export function marketQueries({ store, source, settings, isLoading }: QueryOptions) {
  /** The features of a ticker; `null` if it has too few bars for the required ones. */
  function featuresOf(request: AsOf) {
    const { bars, upTo } = barsOf(request, FEATURE_MEMORY);
    const values = computeFeatures(splitAdjusted(bars, actionsOf(request.ticker, upTo).splits));
    const { return: ofDay, volatility } = values;
    if (ofDay === undefined || volatility === undefined) return null;
    return {
      ticker: request.ticker,
      timestamp: timestamp(bars.at(-1)!.date),
      ...values,
      return: ofDay,
      volatility,
    };
  }

  function loadedTickers(): string[] {
    return store.read((table) => table.tickers());
  }

  function actionsOf(ticker: string, upTo: string) {
    return store.read((table) => ({
      splits: table.splitsOf(ticker, upTo),
      dividends: table.dividendsOf(ticker, upTo),
    }));
  }

  /** The newest bars of a ticker, at least one. */
  function barsOf({ ticker, as_of }: AsOf, limit: number): { bars: SourceBar[]; upTo: string } {
    assertKnown(ticker);
    const upTo = dayOf(as_of);
    const bars = store.read((table) => table.of(ticker, limit, upTo));
    if (bars.length === 0) {
      throw new BelegError('MARKET_DATA_MISSING', { detail: `${ticker} has no price up to ${upTo}` });
    }
    return { bars, upTo };
  }

  function hasBars({ ticker, as_of }: AsOf): boolean {
    return store.read((table) => table.of(ticker, 1, dayOf(as_of))).length > 0;
  }

  function assertKnown(ticker: string): void {
    if ((store.state(ticker)?.bars ?? 0) > 0) return;
    if (!isLoading()) throw new BelegError('UNKNOWN_TICKER');
    throw new BelegError('SERVICE_UNAVAILABLE', {
      detail: 'The market data is still being loaded',
      retryAfter: 1,
    });
  }

  /** The given day, or else the newest session: splits and dividends of later days have not taken effect. */
  function dayOf(asOf: string | null): string {
    return asOf ?? store.read((table) => table.dateBack(LAST_DATE, 0)) ?? LAST_DATE;
  }

  /** The tradable tickers in the source's order, and the index. */
  function tickers(): { initial: string[]; index: string; count: number } {
    const loaded = loadedTickers();
    const listed = JSON.parse(store.note('tickers') ?? '[]') as string[];
    const initial = listed.filter(
      (ticker) => loaded.includes(ticker) && !isIndexOnly(source, settings, ticker),
    );
    return { initial, index: indexOf(source, settings, loaded), count: initial.length };
  }

  return {
    tickers,
    price(request: AsOf) {
      const { bars, upTo } = barsOf(request, 1);
      const bar = bars[0]!;
      const { splits, dividends } = actionsOf(request.ticker, upTo);
      const [adjusted] = splitAdjusted([bar], splits);
      const { date, ...figures } = withoutTicker(adjusted!);
      const [adj_close] = adjustedCloses(columnsOf([bar]), splits, dividends).closes;
      return { ticker: request.ticker, date: timestamp(date), ...figures, adj_close: adj_close! };
    },
    prices({ limit, before, ...request }: AsOf & { limit: number; before: string | null }) {
      const { upTo } = barsOf(request, 1);
      const bars = store.read((table) => table.of(request.ticker, limit, upTo, before ?? undefined));
      return { bars: splitAdjusted(bars, actionsOf(request.ticker, upTo).splits).map(withoutTicker) };
    },
    actions({ ticker, as_of }: AsOf) {
      assertKnown(ticker);
      const { splits, dividends } = actionsOf(ticker, dayOf(as_of));
      return {
        ticker,
        actions: {
          splits: Object.fromEntries(splits.map(({ date, ratio }) => [date, ratioNumber(parseRatio(ratio))])),
          dividends: Object.fromEntries(dividends.map(({ date, amount }) => [date, amount])),
        },
      };
    },
    /** The features of the ticker and, if it has bars by then, of the index. */
    features(request: AsOf) {
      const own = featuresOf(request);
      if (own === null) {
        throw new BelegError('MARKET_DATA_MISSING', {
          detail: `${request.ticker} has too few bars: its volatility needs 21`,
        });
      }
      const features = { [request.ticker]: own };
      const { index } = tickers();
      if (index !== request.ticker && hasBars({ ticker: index, as_of: request.as_of })) {
        const ofIndex = featuresOf({ ticker: index, as_of: request.as_of });
        if (ofIndex !== null) features[index] = ofIndex;
      }
      return { ticker: request.ticker, timestamp: own.timestamp, features };
    },
    /** The closes of the tradable tickers, with which strategies warm up. */
    closes({ as_of, count }: { as_of: string | null; count: number }) {
      const upTo = dayOf(as_of);
      const closes: Record<string, number[]> = {};
      for (const ticker of loadedTickers()) {
        if (isIndexOnly(source, settings, ticker)) continue;
        const bars = store.read((table) => table.of(ticker, count, upTo));
        if (bars.length === 0) continue;
        closes[ticker] = splitAdjusted(bars, actionsOf(ticker, upTo).splits).map(({ close }) => close);
      }
      return { closes };
    },
  };
}

function withoutTicker({ date, open, high, low, close, volume }: SourceBar): SourceBar {
  return { date, open, high, low, close, volume };
}
