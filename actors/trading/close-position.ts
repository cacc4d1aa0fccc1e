import { abs, priceText, quantityText } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { requestCancels } from './cancel-order.ts';
import type { Drafts, CommandOf } from './commands.ts';
import { heldOf } from './position.ts';
import type { AccountState } from './state.ts';

/**
 * Closes a position, also while trading is stopped or halted: open orders in the ticker are cancelled, and a market order
 * that only reduces takes all of it. It gives no events if that order is on record.
 *
 * @throws {BelegError} `NO_POSITION`.
 */
export function close(
  { ticker, order_id, last_price }: Omit<CommandOf<'close'>, 'type'>,
  state: AccountState,
): Drafts {
  if (state.orders.has(order_id)) return [];
  const quantity = heldOf(state, ticker);
  if (quantity === 0n) throw new BelegError('NO_POSITION');
  // A position always has a mark. Using it as the price allows closing a ticker without prices.
  const price = last_price ?? state.marks.get(ticker);
  if (price === undefined) throw new BelegError('MARKET_DATA_MISSING');
  return [
    ...requestCancels(state.books.get(ticker)?.orders ?? [], 'position_closed'),
    {
      type: 'OrderSubmitted',
      data: {
        order_id,
        ticker,
        client_order_id: null,
        action: quantity > 0n ? 'sell' : 'buy',
        type: 'market',
        quantity: quantityText(abs(quantity)),
        price: null,
        stop_price: null,
        // The order stays open until the ticker trades again: an order that ends exposure must not expire.
        time_in_force: 'gtc',
        reduce_only: true,
        origin: 'close',
        weights: null,
        client_timestamp: null,
        session: state.session,
        reference_price: priceText(price),
      },
    },
  ];
}
