import type { MarketSettings } from './settings.ts';
import type { BarSource } from './sources/source.ts';

const INDICES = ['SPY', 'QQQ', '^GSPC'];

/**
 * Tickers to update: those of `TD_TICKERS` (one that the source lacks is a fault of that ticker), else all of the
 * source's; and the index where the source has it.
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

/** What the others are compared with: `TD_INDEX`, the source's own, the first of SPY, QQQ and ^GSPC that is there, or ''. */
export function indexOf(source: BarSource, { index }: MarketSettings, loaded: readonly string[]): string {
  return index ?? source.index ?? INDICES.find((ticker) => loaded.includes(ticker)) ?? '';
}

/**
 * True for tickers that only serve for comparison: what nobody can hold, and an index (SPY) that `TD_TICKERS` does not name.
 * If `TD_TICKERS` is not set, a fund that serves as the index is traded like any other.
 */
export function isIndexOnly(source: BarSource, settings: MarketSettings, ticker: string): boolean {
  if (isNoFund(source, settings, ticker)) return true;
  const { tickers, index } = settings;
  return ticker === index && tickers?.includes(ticker) === false;
}

/** True for what nobody can hold: Yahoo's indices (`^GSPC`), and the index of the source itself unless `TD_TICKERS` names it. */
export function isNoFund(source: BarSource, { tickers }: MarketSettings, ticker: string): boolean {
  if (ticker.startsWith('^')) return true;
  return ticker === source.index && tickers?.includes(ticker) !== true;
}
