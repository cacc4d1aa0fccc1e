import type { AccountEvent, PaperBrokerEvent } from '../../../../events/catalog/catalog.ts';
import type { Facts } from './facts.ts';
import { bad, good, plain, type Describe } from './tones.ts';

/** Those that say which order they are of. */
type Types = Extract<AccountEvent | PaperBrokerEvent, { data: { order_id: string | null } }>['type'];

export const ORDER_WORDS: Readonly<Record<Types, Describe>> = {
  OrderSubmitted: (facts) =>
    plain(
      'Order submitted',
      `${terms(facts)}${facts.is('reduce_only', true) ? ', reduce only' : ''}`,
      origin(facts),
      `last price ${facts.text('reference_price')}${facts.has('session') ? `, session ${facts.text('session')}` : ''}`,
      facts.has('client_order_id') ? `client_order_id ${facts.text('client_order_id')}` : '',
    ),
  OrderWithdrawn: () => bad('Withdrawn', 'its client was told that it could not be recorded'),
  OrderDeliveryUnknown: () => bad('Broker did not answer', 'it may have the order or not, until it is asked'),
  OrderAccepted: () => plain('Accepted by the broker'),
  OrderRejected: (facts) => bad('Rejected', facts.text('reason')),
  OrderTriggered: () => plain('Stop price reached'),
  OrderFilled: (facts, { state }) =>
    good(
      state === 'filled' ? 'Filled' : 'Filled in part',
      `${facts.text('action')} ${facts.text('quantity')} ${facts.text('ticker')} at ${facts.text('price')}, fee ${facts.text('fee')}`,
      `session ${facts.text('session')}, trade ${facts.text('trade_id')}`,
    ),
  OrderCancelRequested: () => plain('Cancellation asked for'),
  OrderCancelled: (facts) => bad('Cancelled', facts.text('reason')),
  OrderExpired: () => bad('Expired'),
  OrderAdjusted: (facts) => plain('Adjusted to a split', adjustment(facts)),
  DiscrepancyFound: (facts) =>
    bad('Discrepancy with the broker', `${facts.text('kind')}: ${facts.text('detail')}`),
  PaperOrderAccepted: (facts) => plain('Paper broker takes it on', terms(facts)),
  PaperOrderRejected: (facts) => bad('Paper broker rejects it', facts.text('reason')),
  PaperOrderTriggered: (facts) => plain('Paper broker triggers it', `session ${facts.text('session')}`),
  PaperTradeExecuted: (facts) =>
    plain(
      'Paper broker trades',
      `${facts.text('quantity')} at ${facts.text('price')}, fee ${facts.text('fee')}, session ${facts.text('session')}`,
    ),
  PaperOrderCancelled: (facts) => plain('Paper broker cancels it', facts.text('reason')),
  PaperOrderExpired: (facts) => plain('Paper broker lets it expire', `session ${facts.text('session')}`),
  PaperOrderAdjusted: (facts) => plain('Paper broker adjusts it', adjustment(facts)),
};

function terms(facts: Facts): string {
  const prices = [
    facts.has('price') ? ` at ${facts.text('price')}` : '',
    facts.has('stop_price') ? ` stop ${facts.text('stop_price')}` : '',
  ];
  const type = facts.text('type').replaceAll('_', '-');
  return `${facts.text('action')} ${facts.text('quantity')} ${facts.text('ticker')}, ${type}${prices.join('')}, ${facts.text('time_in_force')}`;
}

function origin(facts: Facts): string {
  if (facts.is('origin', 'close')) return 'wanted by a client: to close a position';
  if (!facts.is('origin', 'strategy')) return 'wanted by a client';
  return facts.has('weights')
    ? `wanted by the strategy model, weights ${facts.hash('weights')}`
    : 'wanted by the strategy';
}

function adjustment(facts: Facts): string {
  const prices = [
    facts.has('price') ? `, price ${facts.text('price')}` : '',
    facts.has('stop_price') ? `, stop ${facts.text('stop_price')}` : '',
  ];
  return `${facts.text('quantity')} in all, ${facts.text('filled_quantity')} of them filled${prices.join('')}`;
}
