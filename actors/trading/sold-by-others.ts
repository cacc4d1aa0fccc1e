import { hasFills, type AccountState } from './state.ts';

/**
 * The tickers that the strategy has bought and that somebody else (a client, or whoever closed the position) has sold
 * or is selling since, unless the strategy has ordered them again. A ticker whose orders the state no longer has is
 * included.
 */
export function soldByOthers({
  orders,
  open,
  orderCount,
  positions,
}: Pick<AccountState, 'orders' | 'open' | 'orderCount' | 'positions'>): ReadonlySet<string> {
  const traded = new Set<string>();
  const sold = new Set<string>();
  for (const order of orders.values()) {
    if (!hasFills(order) && !open.has(order.order_id)) continue;
    const { ticker, origin, action } = order;
    if (origin === 'strategy') {
      traded.add(ticker);
      sold.delete(ticker);
    } else if (action === 'sell' && traded.has(ticker)) sold.add(ticker);
  }
  if (orders.size < orderCount) {
    for (const ticker of positions.keys()) if (!traded.has(ticker)) sold.add(ticker);
  }
  return sold;
}
