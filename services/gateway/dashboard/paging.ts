import type { FastifyReply } from 'fastify';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { call, type CallContext } from '../../../events/messages/define.ts';
import { MOST_A_REPLY } from '../../../events/messages/list-lengths.ts';
import { Prices } from '../../../events/messages/market.ts';
import { Orders, type OrderView } from '../../../events/messages/trading.ts';

/** Adds the header that links to the page of older entries. */
export function linkOlder(reply: FastifyReply, path: string, query: Readonly<Record<string, string>>): void {
  void reply.header(
    'link',
    `<${reply.server.basePath}${path}?${new URLSearchParams(query).toString()}>; rel="prev"`,
  );
}

/** The newest `limit` orders, or those before a given order, in the order of submission. */
export function readOrders(
  bus: MessageBus,
  { limit, before }: { limit: number; before: string | null },
  context: CallContext,
): Promise<OrderView[]> {
  return readBackwards<OrderView>(limit, MOST_A_REPLY.orders, async (size, first) => {
    const query = { limit: size, before: first?.order_id ?? before, ids: null };
    const { orders } = await call(bus, Orders, query, context);
    return orders;
  });
}

/** The newest `limit` bars up to a day, in ascending order, all split-adjusted as of that day. */
export function readPrices(
  bus: MessageBus,
  { limit, ...of }: { ticker: string; as_of: string | null; limit: number },
  context: CallContext,
): Promise<PriceBar[]> {
  return readBackwards<PriceBar>(limit, MOST_A_REPLY.prices, async (size, first) => {
    const query = { ...of, limit: size, before: first?.date ?? null };
    const { bars } = await call(bus, Prices, query, context);
    return bars;
  });
}

type PriceBar = (typeof Prices.reply)['_zod']['output']['bars'][number];

/** Reads pages from the newest backwards. A page that is not full is the oldest. */
async function readBackwards<T>(
  limit: number,
  pageSize: number,
  readPage: (size: number, first: T | undefined) => Promise<T[]>,
): Promise<T[]> {
  const pages: T[][] = [];
  for (let missing = limit; missing > 0;) {
    const size = Math.min(missing, pageSize);
    const page = await readPage(size, pages.at(-1)?.[0]);
    pages.push(page);
    if (page.length < size) break;
    missing -= page.length;
  }
  return pages.reverse().flat();
}
