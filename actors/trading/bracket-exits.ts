import { parsePrice, parseQuantity, priceText, quantityText, type Price } from '../../events/decimal.ts';
import type { OrderAction } from './broker.ts';
import { requestCancels } from './cancel-order.ts';
import type { AccountData, AccountDraft, Drafts } from './commands.ts';
import { heldOf, signed } from './position.ts';
import { groupOf, type AccountState, type OrderState } from './state.ts';
import { stopReason } from './target-stops.ts';
import { stopBehind, type Trail } from './trail.ts';

type Submitted = AccountData<'OrderSubmitted'>;

/**
 * The exits that come with a fill of an order with a bracket: a limit order to take the profit and a stop order that
 * limits the loss. The two are linked, and can only reduce. Each fill brings exits of its own, for the part that opened
 * a position.
 */
export function exitsOf(
  order: OrderState,
  { take_profit, stop_loss, trail }: NonNullable<OrderState['bracket']>,
  fill: AccountData<'OrderFilled'>,
  state: AccountState,
): Drafts {
  const opened = openedBy(order, fill, state);
  if (opened <= 0n) return [];
  const nth = order.trades.length + 1;
  const action = order.action === 'buy' ? ('sell' as const) : ('buy' as const);
  const strategy = order.strategy === undefined ? undefined : state.strategies?.get(order.strategy);

  function exit(name: 'profit' | 'stop', price: Price, more: Partial<Submitted>): AccountDraft {
    return {
      type: 'OrderSubmitted',
      data: {
        order_id: idOf(name),
        ticker: order.ticker,
        client_order_id: null,
        action,
        type: name === 'profit' ? 'limit' : 'stop',
        quantity: quantityText(opened),
        price: priceText(price),
        stop_price: name === 'stop' ? priceText(price) : null,
        time_in_force: 'gtc',
        reduce_only: true,
        exit_of: order.order_id,
        origin: order.origin,
        weights: null,
        ...(strategy && {
          strategy: {
            name: order.strategy!,
            hash: strategy.hash,
            parameters: strategy.parameters,
            reason: name === 'profit' ? 'take profit' : stopReason(trail),
          },
        }),
        client_timestamp: null,
        session: state.session,
        reference_price: fill.price,
        ...more,
      },
    };
  }

  const idOf = (name: string): string => `${order.order_id}-${name}-${nth}`;
  const exits: AccountDraft[] = [];
  if (take_profit !== null) exits.push(exit('profit', parsePrice(take_profit), {}));
  if (stop_loss !== null || trail !== null) {
    const stop =
      stop_loss === null ? firstStop(parsePrice(fill.price), action, trail!) : parsePrice(stop_loss);
    exits.push(
      exit('stop', stop, {
        ...(take_profit !== null && { linked_to: idOf('profit') }),
        ...(trail !== null && { trail }),
      }),
    );
  }
  return exits;
}

/**
 * The first stop of a trailing exit. After a gap the price can be less than the distance; then the stop begins at the
 * lowest possible price.
 */
function firstStop(price: Price, action: OrderAction, trail: Trail): Price {
  const stop = stopBehind(price, action, trail);
  return stop > 0n ? stop : 1n;
}

/** The part of a fill that opened a position; the rest closed one. */
function openedBy(
  { action }: OrderState,
  { ticker, quantity: text }: AccountData<'OrderFilled'>,
  state: AccountState,
): bigint {
  const quantity = parseQuantity(text);
  const after = heldOf(state, ticker) + signed(action, quantity);
  const grown = action === 'buy' ? after : -after;
  return grown < quantity ? grown : quantity;
}

/** Once a position is closed by something else, the exits of brackets have nothing to close any more. */
export function exitsWithoutPosition(
  order: OrderState,
  { ticker, quantity }: AccountData<'OrderFilled'>,
  state: AccountState,
): Drafts {
  const before = heldOf(state, ticker);
  const after = before + signed(order.action, parseQuantity(quantity));
  if (before === 0n || (after !== 0n && before > 0n === after > 0n)) return [];
  const open = state.books.get(ticker)?.orders;
  // In most cases the filled order is the only open one.
  if (open === undefined || (open.size === 1 && open.has(order))) return [];
  return requestCancels(
    [...open].filter(
      (other) =>
        other.exit_of !== undefined &&
        other.order_id !== order.order_id &&
        // The broker itself cancels orders that are linked to this one.
        groupOf(other) !== groupOf(order),
    ),
    'position_closed',
  );
}
