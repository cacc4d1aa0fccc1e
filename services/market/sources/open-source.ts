import type { TradingSettings } from '../../config-trading.ts';
import { csvSource } from './csv.ts';
import { demoSource } from './demo.ts';
import type { BarSource } from './source.ts';
import { yahooSource } from './yahoo.ts';

export type MarketSettings = TradingSettings['market'];

export interface OpenedSource {
  readonly source: BarSource;
  /** Which source it is: bars of another one are not mixed with its own. */
  readonly key: string;
  /** It goes on by itself, and is asked for more from time to time. */
  readonly polled: boolean;
}

/** The source that `TD_SOURCE` names. */
export function openSource({ source, tickers, index }: MarketSettings, now: () => Date): OpenedSource {
  switch (source.kind) {
    case 'demo':
      return { source: demoSource(), key: 'demo', polled: false };
    case 'csv':
      return { source: csvSource(source), key: `csv:${source.folder}`, polled: false };
    case 'yahoo':
      return { source: yahooSource({ tickers: tickers ?? [], index, now }), key: 'yahoo', polled: true };
  }
}
