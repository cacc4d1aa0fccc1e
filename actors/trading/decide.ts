import { moneyText, parseMoney } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { amend } from './amend-order.ts';
import { cancel } from './cancel-order.ts';
import { close } from './close-position.ts';
import type { AccountCommand, Drafts, CommandOf, TradingPolicy } from './commands.ts';
import { compare } from './compare-positions.ts';
import { setClock, start, stop } from './engine.ts';
import { written, type Decided } from './exact-close.ts';
import { moveCash, takeBackCash } from './move-cash.ts';
import { report } from './broker-report.ts';
import { closeSession, openSession } from './session.ts';
import { orderOf, type AccountState } from './state.ts';
import {
  decideStrategy,
  haltStrategy,
  startStrategy,
  stopStrategy,
  useStrategy,
} from './strategy-decision.ts';
import { submit } from './submit-order.ts';
import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { ORDER_LIFECYCLE } from './order-lifecycle.ts';

/**
 * The events that follow from a command, in order; none if it changes nothing. The state is only read.
 *
 * @throws {BelegError} with the code that says why it is refused; `INTERNAL` before the account is opened.
 * @example
 * const drafts = decide({ type: 'submit', order }, state, policy);
 * state = drafts.reduce(evolve, state);
 */
export const decide = (command: AccountCommand, state: AccountState, policy: TradingPolicy): Drafts =>
  decideExactly(command, state, policy).map(written);

/** Decides like `decide`, but gives the close of a session with exact numbers, for callers that record no events. */
export function decideExactly(
  command: AccountCommand,
  state: AccountState,
  policy: TradingPolicy,
): readonly Decided[] {
  if (command.type === 'open') return open(command, state);
  if (state.account === null) throw new BelegError('INTERNAL', { detail: 'the account has not been opened' });
  switch (command.type) {
    case 'use-source':
      return useSource(command, state);
    case 'move-cash':
      return moveCash(command, state, policy);
    case 'take-back-cash':
      return takeBackCash(command, state);
    case 'start':
      return start(state);
    case 'stop':
      return stop(state);
    case 'set-clock':
      return setClock(command, state);
    case 'submit':
      return submit(command.order, state, policy);
    case 'cancel':
      return cancel(command, state);
    case 'amend':
      return amend(command, state, policy);
    case 'close':
      return close(command, state);
    case 'withdraw':
      return withdraw(command.order_id, state);
    case 'delivery-unknown':
      return deliveryUnknown(command.order_id, state);
    case 'doubt-unanswered':
      return doubtUnanswered(state);
    case 'report':
      return report(command.report, state, policy);
    case 'compare':
      return compare(command.positions, state);
    case 'use-strategy':
      return useStrategy(command, state);
    case 'decide-strategy':
      return decideStrategy(command, state, policy);
    case 'refuse-strategy-order':
      return [{ type: 'StrategyOrderRefused', data: command.data }];
    case 'halt-strategy':
      return haltStrategy(command.data, state);
    case 'stop-strategy':
      return stopStrategy(command.strategy, state);
    case 'start-strategy':
      return startStrategy(command, state);
    case 'open-session':
      return openSession(command.session, state, policy);
    case 'close-session':
      return closeSession(command, state, policy);
  }
}

/** Only the first `open` has an effect. */
function open({ account, currency, cash }: CommandOf<'open'>, state: AccountState): Drafts {
  if (state.account !== null) return [];
  return [{ type: 'AccountOpened', data: { account, currency, cash: moneyText(cash) } }];
}

/** Only the first source is recorded. The caller checks beforehand whether another one may follow it. */
function useSource({ source }: CommandOf<'use-source'>, state: AccountState): Drafts {
  return state.source === null ? [{ type: 'MarketSourceTaken', data: { source } }] : [];
}

/**
 * Takes back events whose caller was told that nothing had happened. Events that make an account safer stay: stops and
 * cancellations.
 */
export function undo(events: readonly AccountEvent[]): AccountCommand[] {
  return events.flatMap((event): AccountCommand[] => {
    if (event.type === 'OrderSubmitted') return [{ type: 'withdraw', order_id: event.data.order_id }];
    if (event.type === 'CashMoved') {
      const { amount, reason, client_cash_id } = event.data;
      return [{ type: 'take-back-cash', amount: parseMoney(amount), reason, client_cash_id }];
    }
    return event.type === 'TradingStarted' ? [{ type: 'stop' }] : [];
  });
}

/**
 * Withdraws an order whose client was told that it could not be recorded. Has no effect if the order is not on record.
 *
 * @throws {BelegError} `NOT_CANCELLABLE` once the broker has been told of it.
 */
function withdraw(orderId: string, state: AccountState): Drafts {
  const order = state.orders.get(orderId);
  if (order === undefined) return [];
  if (!ORDER_LIFECYCLE.mayFollow(order.status, 'OrderWithdrawn')) {
    throw new BelegError('NOT_CANCELLABLE', { detail: `The order is already ${order.status}` });
  }
  return [{ type: 'OrderWithdrawn', data: { order_id: orderId, ticker: order.ticker } }];
}

/**
 * Records that the broker did not answer in time. Gives no events if this is on record, if a report has arrived
 * meanwhile, or if the order is to be cancelled, because a cancellation asks the broker first.
 *
 * @throws {BelegError} `UNKNOWN_ORDER`.
 */
function deliveryUnknown(orderId: string, state: AccountState): Drafts {
  const { status, ticker } = orderOf(orderId, state);
  if (status !== 'submitted') return [];
  return [{ type: 'OrderDeliveryUnknown', data: { order_id: orderId, ticker } }];
}

/**
 * Records, when the account has a new holder, that nobody knows which of the unanswered orders the broker has received.
 * This comes before any of them is sent again: from then on an earlier holder can neither take back nor cancel them.
 */
function doubtUnanswered(state: AccountState): Drafts {
  return [...state.open.values()]
    .filter(({ status }) => ORDER_LIFECYCLE.mayFollow(status, 'OrderDeliveryUnknown'))
    .map(({ order_id, ticker }) => ({ type: 'OrderDeliveryUnknown', data: { order_id, ticker } }));
}
