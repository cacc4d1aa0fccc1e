import type { MarketSettings } from '../settings.ts';
import { isIndexOnly } from '../tickers-to-update.ts';
import { SourceFaults, type BarSource, type Fetched } from './source.ts';

/**
 * The source without tickers in another currency than the account's, if it names their currencies: there is no exchange
 * rate, and amounts in two currencies must not be added. An index that cannot be held may have any currency.
 */
export function inOneCurrency(source: BarSource, settings: MarketSettings): BarSource {
  const { currency } = settings;
  const { columns } = source;
  const assertIsOwn = (ticker: string, fetched: Pick<Fetched, 'currency'>): void => {
    const own = fetched.currency ?? currency;
    if (own === currency || isIndexOnly(source, settings, ticker)) return;
    throw new SourceFaults([
      `${ticker}: its prices are in ${own}, and the account is in ${currency} (TD_CURRENCY); nothing is converted, so leave the ` +
        'ticker out or set TD_CURRENCY for an account of its own',
    ]);
  };
  return {
    ...source,
    async fetch(ticker, since, signal) {
      const fetched = await source.fetch(ticker, since, signal);
      assertIsOwn(ticker, fetched);
      return fetched;
    },
    ...(columns === undefined
      ? {}
      : {
          async columns(ticker: string, signal: AbortSignal) {
            const fetched = await columns(ticker, signal);
            assertIsOwn(ticker, fetched);
            return fetched;
          },
        }),
  };
}
