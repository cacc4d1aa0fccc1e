import { moneyText, optionalPriceText, priceText, quantityText } from '../../events/decimal.ts';
import type { BrokerReport } from './broker.ts';
import { exitsOf, exitsWithoutPosition } from './bracket-exits.ts';
import type { TradingPolicy, AccountData, AccountDraft, Drafts } from './commands.ts';
import { discrepancies } from './compare-positions.ts';
import { isOpen, ORDER_LIFECYCLE } from './order-lifecycle.ts';
import { signed } from './position.ts';
import { hasFills, leftOf, type AccountState, type OrderState } from './state.ts';

type Trade = Extract<BrokerReport, { type: 'trade' }>;

/**
 * Books a report of the broker. Gives no events if the report is on record, or changes nothing any more. An impossible
 * report is a discrepancy and halts trading. A reported trade is booked in any case, because the broker has it in its
 * books.
 */
export function report(said: BrokerReport, state: AccountState, policy: TradingPolicy): Drafts {
  const order = state.orders.get(said.order_id);
  if (order === undefined) return unknownOrder(said, state);
  const { order_id, cursor } = said;
  const ofOrder = { order_id, ticker: order.ticker };
  switch (said.type) {
    case 'accepted':
      // An acceptance that arrives after the order's first fill is outdated and is ignored.
      if (hasFills(order) || !ORDER_LIFECYCLE.mayFollow(order.status, 'OrderAccepted')) return [];
      return [{ type: 'OrderAccepted', data: { ...ofOrder, cursor } }];
    case 'triggered':
      return accepted(order, { type: 'OrderTriggered', data: { ...ofOrder, cursor } });
    case 'rejected':
      return rejected(order, said, state);
    case 'cancelled':
      if (!isOpen(order.status)) return [];
      return [{ type: 'OrderCancelled', data: { ...ofOrder, reason: said.reason, cursor } }];
    case 'amended':
      return amended(order, said, state);
    case 'expired':
      return accepted(order, { type: 'OrderExpired', data: { ...ofOrder, cursor } });
    case 'trade':
      return traded(order, said, state, policy);
  }
}

/** A broker that triggers or expires an order has accepted it, even if it did not report that. */
function accepted(
  { status }: OrderState,
  draft: Extract<AccountDraft, { type: 'OrderTriggered' | 'OrderExpired' | 'OrderAmended' }>,
): Drafts {
  if (ORDER_LIFECYCLE.mayFollow(status, draft.type)) return [draft];
  if (status !== 'submitted' && status !== 'unknown') return [];
  const { order_id, ticker, cursor } = draft.data;
  return [{ type: 'OrderAccepted', data: { order_id, ticker, cursor } }, draft];
}

function amended(
  order: OrderState,
  said: Extract<BrokerReport, { type: 'amended' }>,
  state: AccountState,
): Drafts {
  const { order_id, cursor, quantity, price, stop_price, reason, amendment } = said;
  const { ticker, filled } = order;
  if (quantity <= filled) {
    const detail = `amended to ${quantityText(quantity)}: ${quantityText(filled)} are filled already`;
    return discrepancies([{ kind: 'late_report', order_id, ticker, detail, cursor }], state);
  }
  return accepted(order, {
    type: 'OrderAmended',
    data: {
      order_id,
      ticker,
      quantity: quantityText(quantity),
      price: optionalPriceText(price),
      stop_price: optionalPriceText(stop_price),
      reason,
      ...(amendment !== undefined && { amendment }),
      cursor,
    },
  });
}

function rejected(
  order: OrderState,
  { cursor, reason }: Extract<BrokerReport, { type: 'rejected' }>,
  state: AccountState,
): Drafts {
  const { order_id, ticker } = order;
  if (!hasFills(order)) {
    if (!ORDER_LIFECYCLE.mayFollow(order.status, 'OrderRejected')) return [];
    return [{ type: 'OrderRejected', data: { order_id, ticker, reason, cursor } }];
  }
  const detail = `rejected (${reason}) after ${quantityText(order.filled)} were filled`;
  return discrepancies([{ kind: 'late_report', order_id, ticker, detail, cursor }], state);
}

function traded(
  order: OrderState,
  trade: Trade,
  state: AccountState,
  { settlementSessions }: TradingPolicy,
): Drafts {
  const { order_id, ticker, action } = order;
  const { trade_id, session, cursor } = trade;
  if (order.trades.includes(trade_id)) return [];
  const data: AccountData<'OrderFilled'> = {
    order_id,
    trade_id,
    quantity: quantityText(trade.quantity),
    price: priceText(trade.price),
    fee: moneyText(trade.fee),
    session,
    cursor,
    ticker,
    action,
    settles_after: action === 'sell' ? settlementSessions : 0,
  };
  const filled: AccountDraft = { type: 'OrderFilled', data };
  const left = leftOf(order);
  const room = ORDER_LIFECYCLE.mayFollow(order.status, 'OrderFilled');
  if (room && trade.quantity <= left) {
    const drafts: AccountDraft[] = [filled];
    for (const draft of exitsWithoutPosition(order, data, state)) drafts.push(draft);
    if (order.bracket !== undefined) drafts.push(...exitsOf(order, order.bracket, data, state));
    return drafts;
  }
  const detail = `trade ${trade.trade_id} of ${quantityText(trade.quantity)}: ${quantityText(left)} left, ${order.status}`;
  const kind = trade.quantity > left ? 'overfill' : 'late_report';
  const found = discrepancies([{ kind, order_id, ticker, detail, cursor: trade.cursor }], state, {
    order_id,
    ticker,
    quantity: signed(action, trade.quantity),
  });
  // The discrepancy is recorded first, because only a disputed order may be filled beyond its quantity.
  return [...found.slice(0, 1), filled, ...found.slice(1)];
}

/** The report names neither ticker nor side, so it cannot be booked. */
function unknownOrder(said: BrokerReport, state: AccountState): Drafts {
  const { order_id, cursor } = said;
  // The order was withdrawn while its cancellation was sent to the broker, so neither side has it.
  if (said.type === 'cancelled') return [];
  const what =
    said.type === 'trade'
      ? `trade ${said.trade_id} of ${quantityText(said.quantity)} at ${priceText(said.price)}`
      : said.type;
  const detail = `${what}: no such order here`;
  return discrepancies([{ kind: 'unknown_order', order_id, ticker: null, detail, cursor }], state);
}
