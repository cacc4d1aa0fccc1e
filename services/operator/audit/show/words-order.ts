import type { AccountEvent, PaperBrokerEvent } from '../../../../events/catalog/catalog.ts';
import type { Facts } from './event-facts.ts';
import { bad, good, plain, type Describe } from './tones.ts';

/** The events that have an order id. */
type Types = Extract<AccountEvent | PaperBrokerEvent, { data: { order_id: string | null } }>['type'];

export const ORDER_WORDS: Readonly<Record<Types, Describe>> = {
  OrderSubmitted: (facts) =>
    plain(
      'Order submitted',
      `${terms(facts)}${facts.is('reduce_only', true) ? ', reduce only' : ''}` +
        facts.sayIf('linked_to', ', linked to {linked_to}') +
        facts.sayIf('exit_of', ', exit of {exit_of}'),
      origin(facts),
      facts.say('last price {reference_price}') + facts.sayIf('session', ', session {session}'),
      facts.sayIf('client_order_id', 'client_order_id {client_order_id}'),
    ),
  OrderWithdrawn: bad('Withdrawn', 'the client got the answer that the order could not be recorded'),
  OrderDeliveryUnknown: bad('Broker did not answer', 'it is not known yet whether the broker has the order'),
  OrderAccepted: plain('Accepted by the broker'),
  OrderRejected: bad('Rejected', '{reason}'),
  OrderTriggered: plain('Stop price reached'),
  OrderFilled: (facts, { state }) =>
    good(
      state === 'filled' ? 'Filled' : 'Partly filled',
      facts.say('{action} {quantity} {ticker} at {price}, fee {fee}'),
      facts.say('session {session}, trade {trade_id}'),
    ),
  OrderCancelRequested: (facts) => plain('Cancellation requested', facts.sayIf('reason', '{reason}')),
  OrderCancelled: bad('Cancelled', '{reason}'),
  OrderExpired: bad('Expired'),
  OrderAdjusted: (facts) => plain('Adjusted for a split', adjustment(facts)),
  OrderAmendRequested: (facts) => plain('Change requested', amendment(facts)),
  OrderAmended: (facts) => plain(amendedBy(facts), amendment(facts)),
  DiscrepancyFound: bad('Discrepancy with the broker', '{kind}: {detail}'),
  PaperOrderAccepted: (facts) => plain('Accepted by the paper broker', terms(facts)),
  PaperOrderRejected: bad('Rejected by the paper broker', '{reason}'),
  PaperOrderTriggered: plain('Triggered by the paper broker', 'session {session}'),
  PaperTradeExecuted: plain(
    'Filled by the paper broker',
    '{quantity} at {price}, fee {fee}, session {session}',
  ),
  PaperOrderCancelled: plain('Cancelled by the paper broker', '{reason}'),
  PaperOrderExpired: plain('Expired at the paper broker', 'session {session}'),
  PaperOrderAmended: (facts) => plain('Changed by the paper broker', amendment(facts)),
  PaperOrderAdjusted: (facts) => plain('Adjusted by the paper broker', adjustment(facts)),
};

function terms(facts: Facts): string {
  const prices = facts.sayIf('price', ' at {price}') + facts.sayIf('stop_price', ' stop {stop_price}');
  const type = facts.say('{type}').replaceAll('_', '-');
  return `${facts.say('{action} {quantity} {ticker}')}, ${type}${prices}, ${facts.say('{time_in_force}')}`;
}

function origin(facts: Facts): string {
  if (facts.is('origin', 'close')) return 'submitted by a client to close a position';
  if (!facts.is('origin', 'strategy')) return 'submitted by a client';
  return (
    facts.sayIf('weights', 'submitted by the model strategy, weights {weights~}') ||
    'submitted by the strategy'
  );
}

const amendment = (facts: Facts): string =>
  facts.say('{quantity} in total') +
  facts.sayIf('price', ', price {price}') +
  facts.sayIf('stop_price', ', stop {stop_price}');

function amendedBy(facts: Facts): string {
  if (facts.is('reason', 'linked')) return 'A linked order was filled in part';
  return facts.is('reason', 'trail') ? 'The stop followed the price' : 'Changed';
}

const adjustment = (facts: Facts): string =>
  facts.say('{quantity} in total, {filled_quantity} of it filled') +
  facts.sayIf('price', ', price {price}') +
  facts.sayIf('stop_price', ', stop {stop_price}');
