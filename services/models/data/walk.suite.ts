import { dateOf, DAY_MS } from '../../../events/dates.ts';
import { gaussian } from '../network/random.ts';
import type { TickerBars } from './bars.ts';

/** The date of the n-th day. */
export const dayOf = (n: number): string => dateOf(Date.UTC(2000, 0, 1) + n * DAY_MS);

/** A random walk of a ticker over the days `from` … `to - 1`, without the omitted ones. */
export function walk(
  ticker: string,
  {
    seed = 1,
    from = 0,
    to,
    without = () => false,
  }: {
    seed?: number;
    from?: number;
    to: number;
    without?: (day: number) => boolean;
  },
): TickerBars {
  const bars: { day: number; open: number; high: number; low: number; close: number; volume: number }[] = [];
  let close = 100;
  for (let day = from; day < to; day++) {
    const random = (index: number): number => gaussian(seed, day, index);
    const open = close * Math.exp(0.005 * random(0));
    close = open * Math.exp(0.02 * random(1));
    const high = Math.max(open, close) * Math.exp(0.01 * Math.abs(random(2)));
    const low = Math.min(open, close) * Math.exp(-0.01 * Math.abs(random(3)));
    const volume = Math.round(1e6 * Math.exp(0.3 * random(4)));
    if (!without(day)) bars.push({ day, open, high, low, close, volume });
  }
  const column = (of: (bar: (typeof bars)[number]) => number) => Float64Array.from(bars, of);
  return {
    ticker,
    dates: bars.map(({ day }) => dayOf(day)),
    open: column((bar) => bar.open),
    high: column((bar) => bar.high),
    low: column((bar) => bar.low),
    close: column((bar) => bar.close),
    volume: column((bar) => bar.volume),
  };
}
