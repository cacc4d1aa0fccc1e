import type { MarketSettings } from '../settings.ts';
import { csvSource } from './csv-folder.ts';
import { demoSource } from './demo.ts';
import { inOneCurrency } from './one-currency.ts';
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
