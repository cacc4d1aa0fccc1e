import type { MarketSettings } from './settings.ts';
import type { BarSource } from './sources/source.ts';

const INDICES = ['SPY', 'QQQ', '^GSPC'];

/**
 * The tickers to update: those of `TD_TICKERS` (a ticker that the source lacks fails), or else all of the source; and
 * the index if the source has it.
 */
export async function tickersToUpdate(
  source: BarSource,
  { tickers, index }: MarketSettings,
): Promise<string[]> {
  const offered = await source.tickers();
  if (tickers === null) return [...offered];
  const wanted = index ?? source.index;
  const extra = wanted !== null && offered.includes(wanted) ? [wanted] : [];
  return [...new Set([...tickers, ...extra])];
}

/** The index to compare with: `TD_INDEX`, the source's own, the first of SPY, QQQ and ^GSPC that exists, or ''. */
export function indexOf(source: BarSource, { index }: MarketSettings, loaded: readonly string[]): string {
  return index ?? source.index ?? INDICES.find((ticker) => loaded.includes(ticker)) ?? '';
}

/**
 * Whether a ticker only serves for comparison: an index that cannot be held, or an index fund (SPY) that `TD_TICKERS`
 * does not name. Without `TD_TICKERS`, a fund that serves as the index is traded like any other ticker.
 */
export function isIndexOnly(source: BarSource, settings: MarketSettings, ticker: string): boolean {
  if (isNoFund(source, settings, ticker)) return true;
  const { tickers, index } = settings;
  return ticker === index && tickers?.includes(ticker) === false;
}

/**
 * Whether a ticker is an index that cannot be held: one of Yahoo's (`^GSPC`), or the source's own unless `TD_TICKERS`
 * names it.
 */
export function isNoFund(source: BarSource, { tickers }: MarketSettings, ticker: string): boolean {
  if (ticker.startsWith('^')) return true;
  return ticker === source.index && tickers?.includes(ticker) !== true;
}
