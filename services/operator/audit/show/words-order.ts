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
  OrderWithdrawn: () => bad('Withdrawn', 'the client got the answer that the order could not be recorded'),
  OrderDeliveryUnknown: () =>
    bad('Broker did not answer', 'it is not known yet whether the broker has the order'),
  OrderAccepted: () => plain('Accepted by the broker'),
  OrderRejected: (facts) => bad('Rejected', facts.text('reason')),
  OrderTriggered: () => plain('Stop price reached'),
  OrderFilled: (facts, { state }) =>
    good(
      state === 'filled' ? 'Filled' : 'Partly filled',
      `${facts.text('action')} ${facts.text('quantity')} ${facts.text('ticker')} at ${facts.text('price')}, fee ${facts.text('fee')}`,
      `session ${facts.text('session')}, trade ${facts.text('trade_id')}`,
    ),
  OrderCancelRequested: () => plain('Cancellation requested'),
  OrderCancelled: (facts) => bad('Cancelled', facts.text('reason')),
  OrderExpired: () => bad('Expired'),
  OrderAdjusted: (facts) => plain('Adjusted for a split', adjustment(facts)),
  DiscrepancyFound: (facts) =>
    bad('Discrepancy with the broker', `${facts.text('kind')}: ${facts.text('detail')}`),
  PaperOrderAccepted: (facts) => plain('Accepted by the paper broker', terms(facts)),
  PaperOrderRejected: (facts) => bad('Rejected by the paper broker', facts.text('reason')),
  PaperOrderTriggered: (facts) => plain('Triggered by the paper broker', `session ${facts.text('session')}`),
  PaperTradeExecuted: (facts) =>
    plain(
      'Filled by the paper broker',
      `${facts.text('quantity')} at ${facts.text('price')}, fee ${facts.text('fee')}, session ${facts.text('session')}`,
    ),
  PaperOrderCancelled: (facts) => plain('Cancelled by the paper broker', facts.text('reason')),
  PaperOrderExpired: (facts) => plain('Expired at the paper broker', `session ${facts.text('session')}`),
  PaperOrderAdjusted: (facts) => plain('Adjusted by the paper broker', adjustment(facts)),
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
  if (facts.is('origin', 'close')) return 'submitted by a client to close a position';
  if (!facts.is('origin', 'strategy')) return 'submitted by a client';
  return facts.has('weights')
    ? `submitted by the model strategy, weights ${facts.hash('weights')}`
    : 'submitted by the strategy';
}

function adjustment(facts: Facts): string {
  const prices = [
    facts.has('price') ? `, price ${facts.text('price')}` : '',
    facts.has('stop_price') ? `, stop ${facts.text('stop_price')}` : '',
  ];
  return `${facts.text('quantity')} in total, ${facts.text('filled_quantity')} of it filled${prices.join('')}`;
}
