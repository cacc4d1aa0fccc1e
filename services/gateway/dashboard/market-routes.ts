import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../../events/error-codes.ts';
import * as market from '../../../events/messages/market.ts';
import { addOperation } from './add-operation.ts';
import type { DashboardContext } from './dashboard-context.ts';
import { readPrices } from './paging.ts';
import { limitQuery, tickerOf, TickerPath } from './query-parameters.ts';
import { asks, BEHIND, contextOf } from '../http/route.ts';
import type { MessageBus } from '../../../events/bus/bus.ts';
import * as trading from '../../../events/catalog/trading.ts';
import { call, type CallContext } from '../../../events/messages/define.ts';
import { TradingStatus } from '../../../events/messages/trading.ts';
import { followEvents } from './follow-events.ts';

export const PriceList = z.array(market.Bar);

const OF_TICKER: readonly ErrorCode[] = [...BEHIND, 'UNKNOWN_TICKER', 'MARKET_DATA_MISSING'];

/**
 * Adds the routes for market data. They show it as of the feed's present, because the feed may replay a past after
 * which the store has years of data.
 */
export function addMarketRoutes(app: FastifyInstance, { bus, access }: DashboardContext): void {
  const feedClock = followFeedClock(bus);
  const asOf = async (request: FastifyRequest) => ({
    ticker: tickerOf(request),
    as_of: await feedClock(contextOf(request)),
  });

  addOperation(app, access, {
    at: 'GET /api/data/tickers',
    summary: 'Tickers that can be traded, and the index they are compared with',
    means: 'All tickers',
    codes: BEHIND,
    ...asks(bus, market.Tickers),
  });

  addOperation(app, access, {
    at: 'GET /api/data/pipeline/status',
    summary: 'State of the market data',
    means: 'State of the market data store and its last update',
    codes: BEHIND,
    ...asks(bus, market.Pipeline),
  });

  addOperation(app, access, {
    at: 'POST /api/data/update',
    summary: 'Update all market data from its source',
    means: 'The update has started; follow it in the log or over the WebSocket',
    codes: [...BEHIND, 'STORE_UNAVAILABLE', 'UPDATE_RUNNING'],
    ...asks(bus, market.UpdateMarket),
  });

  addOperation(app, access, {
    at: 'GET /api/data/features/:ticker',
    summary: 'Features of the ticker and the index for the latest session',
    params: TickerPath,
    means:
      'Features by ticker. A feature is missing if there are too few bars for it; with fewer than 21 bars there are none',
    codes: OF_TICKER,
    ...asks(bus, market.Features, { payload: asOf }),
  });

  addOperation(app, access, {
    at: 'GET /api/data/price/:ticker',
    summary: 'The newest bar',
    params: TickerPath,
    means: 'The newest bar',
    codes: OF_TICKER,
    ...asks(bus, market.LatestPrice, { payload: asOf }),
  });

  addOperation(app, access, {
    at: 'GET /api/data/prices/:ticker',
    summary: 'Bars in ascending order, split-adjusted',
    params: TickerPath,
    querystring: limitQuery('prices'),
    reply: PriceList,
    means: 'The newest bars, oldest first',
    codes: OF_TICKER,
    handler: async (request) => {
      const of = { ...(await asOf(request)), limit: request.query.limit };
      return readPrices(bus, of, contextOf(request));
    },
  });

  addOperation(app, access, {
    at: 'GET /api/data/corporate-actions/:ticker',
    summary: 'Splits and dividends',
    params: TickerPath,
    means: 'Split ratios and cash dividends per share, by date',
    codes: OF_TICKER,
    ...asks(bus, market.CorporateActions, { payload: asOf }),
  });
}

/** Milliseconds to wait for the trading service, which knows the feed's present. */
const TIMEOUT_MS = 2_000;

/**
 * The feed's present, after which no bar or action has happened yet: the last closed session, or the day before the
 * feed's first. While no trading service has named it, it is `null`, which means the newest data.
 */
function followFeedClock(bus: MessageBus): (context: CallContext) => Promise<string | null> {
  const timeout = { timeoutMs: TIMEOUT_MS };
  let newest: string | null = null;
  const take = (session: string | null): void => {
    // A reply may be older than an event that came meanwhile, and an event may come twice, so only a later session
    // counts.
    if (session !== null && (newest === null || session > newest)) newest = session;
  };
  const ask = async (context: CallContext): Promise<string | null> => {
    const { session } = await call(bus, TradingStatus, {}, context, timeout);
    if (session !== null) return session;
    const { warm_up } = await call(bus, market.Sessions, { after: null, limit: 1 }, context, timeout);
    return warm_up;
  };
  const readers = { SessionClosed: ({ session }: { session: string }) => session };
  followEvents<typeof trading, string>(bus, trading, readers, take);
  return async (context) => {
    if (newest === null) take(await ask(context).catch(() => null));
    return newest;
  };
}
