import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { isBelegError } from '../../../events/errors.ts';
import { call, type CallContext } from '../../../events/messages/define.ts';
import { Prices, Tickers, type Bar } from '../../../events/messages/market.ts';
import { figuresOf, type TickerBars } from './bars.ts';

/** The most bars in one reply of the market service. */
const PAGE = 2_000;

type Page = readonly z.output<typeof Bar>[];

/**
 * The newest bars of all tradable tickers up to a day (`null`: all), split-adjusted as of that day, at most `newest` of
 * each. A ticker without bars is left out. Rejects with the errors of the bus and the market service, and with the
 * signal's reason.
 */
export async function collectBars(
  bus: MessageBus,
  asOf: string | null,
  signal: AbortSignal,
  context: CallContext,
  { newest = Infinity }: { newest?: number } = {},
): Promise<TickerBars[]> {
  const { initial } = await call(bus, Tickers, {}, context, { signal });
  const all: TickerBars[] = [];
  for (const ticker of initial) {
    const ask = async (as_of: string | null, before: string | null, limit: number): Promise<Page> => {
      const request = { ticker, as_of, before, limit };
      return (await call(bus, Prices, request, context, { signal })).bars;
    };
    const bars = await pagesOf(ask, asOf, newest);
    if (bars.length > 0) all.push(barsOf(ticker, bars));
  }
  return all;
}

type Ask = (asOf: string | null, before: string | null, limit: number) => Promise<Page>;

/** Reads pages backwards, all as of the same day, because a split in between would mix different shares. */
async function pagesOf(ask: Ask, asOf: string | null, newest: number): Promise<Page> {
  const pages: Page[] = [];
  let day = asOf;
  let left = newest;
  while (left > 0) {
    const limit = Math.min(left, PAGE);
    const page = await ask(day, pages[0]?.[0]?.date ?? null, limit).catch(nothing);
    pages.unshift(page);
    if (page.length < limit) break;
    day ??= page.at(-1)!.date;
    left -= limit;
  }
  return pages.flat();
}

function nothing(error: unknown): Page {
  if (isBelegError(error, 'MARKET_DATA_MISSING')) return [];
  throw error;
}

function barsOf(ticker: string, bars: Page): TickerBars {
  return {
    ticker,
    dates: bars.map(({ date }) => date),
    ...figuresOf((figure) => Float64Array.from(bars, (bar) => bar[figure])),
  };
}
