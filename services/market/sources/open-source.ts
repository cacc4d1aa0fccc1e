import type { MarketSettings } from '../settings.ts';
import { csvSource } from './csv-folder.ts';
import { demoSource } from './demo.ts';
import { isIndexOnly } from '../tickers-to-update.ts';
import { SourceFaults, type BarSource, type Fetched } from './source.ts';
import { yahooSource } from './yahoo.ts';

export type OpenedSource = ReturnType<typeof openSource>;

/**
 * Opens the source that `TD_SOURCE` names. Data of sources with different keys is never mixed. A source that is
 * `polled` grows by itself and is fetched again from time to time.
 */
export function openSource(settings: MarketSettings, now: () => Date) {
  const opened = opening(settings, now);
  return { ...opened, source: inOneCurrency(opened.source, settings) };
}

function opening({ source, tickers, index, tableCache: cache }: MarketSettings, now: () => Date) {
  switch (source.kind) {
    case 'demo':
      return { source: demoSource(), key: 'demo', polled: false };
    case 'csv':
      return { source: csvSource({ ...source, cache }), key: `csv:${source.folder}`, polled: false };
    case 'yahoo':
      return { source: yahooSource({ tickers: tickers ?? [], index, now }), key: 'yahoo', polled: true };
  }
}

/**
 * The source without tickers in another currency than the account's, if it names their currencies: there is no exchange
 * rate, and amounts in two currencies must not be added. An index that cannot be held may have any currency.
 */
function inOneCurrency(source: BarSource, settings: MarketSettings): BarSource {
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
