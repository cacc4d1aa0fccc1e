import type { OrderSubmitted } from './trading.ts';

type Submitted = Parameters<typeof OrderSubmitted.create>[0];

/** The data of an order in tests: by default a client buys ten of AAPL at the market, before the first session. */
export function submitted(said: Partial<Submitted> = {}): Submitted {
  return {
    order_id: 'o-1',
    ticker: 'AAPL',
    client_order_id: null,
    action: 'buy',
    type: 'market',
    quantity: '10',
    price: null,
    stop_price: null,
    time_in_force: 'day',
    reduce_only: false,
    origin: 'client',
    weights: null,
    client_timestamp: null,
    session: null,
    reference_price: '100',
    ...said,
  };
}
