import type { MarketSettings } from '../settings.ts';
import { isIndexOnly } from '../tickers-to-update.ts';
import { SourceFaults, type BarSource } from './source.ts';

/**
 * The same source without tickers of another currency than the account's, where it says which one a ticker is in: no rate of
 * exchange is applied, and amounts of two currencies must not be added up. An index that nobody can hold may have any.
 */
export function inOneCurrency(source: BarSource, settings: MarketSettings): BarSource {
  const { currency } = settings;
  return {
    ...source,
    async fetch(ticker, since, signal) {
      const fetched = await source.fetch(ticker, since, signal);
      const own = fetched.currency ?? currency;
      if (own === currency || isIndexOnly(source, settings, ticker)) return fetched;
      throw new SourceFaults([
        `${ticker}: its prices are in ${own}, and the account is in ${currency} (TD_CURRENCY); nothing is converted, so leave the ` +
          'ticker out or set TD_CURRENCY for an account of its own',
      ]);
    },
  };
}
