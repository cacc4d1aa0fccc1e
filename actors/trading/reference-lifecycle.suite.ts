import { expect } from 'vitest';
import { submitted } from '../../events/catalog/order-submitted.suite.ts';
import { BelegError } from '../../events/errors.ts';
import type { CaseRunner } from '../reference-cases.suite.ts';
import { Account } from './account.suite.ts';
import type { AccountDraft } from './commands.ts';
import { evolve } from './evolve.ts';
import type { OrderStatus } from './order-lifecycle.ts';
import type { AccountState } from './state.ts';

const ofOrder = { order_id: 'o', ticker: 'AAA' };
const cursor = 'c';

const submission: AccountDraft = {
  type: 'OrderSubmitted',
  data: submitted({
    ...ofOrder,
    type: 'stop_limit',
    price: '5',
    stop_price: '4',
    time_in_force: 'gtc',
    reference_price: '4',
  }),
};
const accepted: AccountDraft = { type: 'OrderAccepted', data: { ...ofOrder, cursor } };
const rejected: AccountDraft = { type: 'OrderRejected', data: { ...ofOrder, reason: '', cursor } };
const triggered: AccountDraft = { type: 'OrderTriggered', data: { ...ofOrder, cursor } };
const cancelRequested: AccountDraft = { type: 'OrderCancelRequested', data: ofOrder };
const cancelled: AccountDraft = { type: 'OrderCancelled', data: { ...ofOrder, reason: '', cursor } };
const expired: AccountDraft = { type: 'OrderExpired', data: { ...ofOrder, cursor } };
const updated: AccountDraft = {
  type: 'OrderAdjusted',
  data: { ...ofOrder, quantity: '20', filled_quantity: '0', price: '2.5', stop_price: '2' },
};
const filled = (quantity: string): AccountDraft => ({
  type: 'OrderFilled',
  data: {
    ...ofOrder,
    trade_id: `t${quantity}`,
    action: 'buy',
    quantity,
    price: '5',
    fee: '0',
    session: '2024-01-02',
    settles_after: 0,
    cursor,
  },
});

/** The statuses of the cases that exist here: our name, and the events that lead there. */
const STATUSES: Readonly<
  Record<string, readonly [status: OrderStatus | null, path: readonly AccountDraft[]]>
> = {
  Initialized: [null, []],
  Submitted: ['submitted', [submission]],
  Accepted: ['accepted', [submission, accepted]],
  Triggered: ['triggered', [submission, accepted, triggered]],
  PartiallyFilled: ['partially_filled', [submission, accepted, filled('4')]],
  PendingCancel: ['pending_cancel', [submission, accepted, cancelRequested]],
  Filled: ['filled', [submission, accepted, filled('10')]],
  Canceled: ['cancelled', [submission, accepted, cancelled]],
  Rejected: ['rejected', [submission, rejected]],
  Expired: ['expired', [submission, accepted, expired]],
};

/** The events of the cases that exist here. */
const EVENTS: Readonly<Record<string, AccountDraft>> = {
  Submitted: submission,
  Accepted: accepted,
  Rejected: rejected,
  Triggered: triggered,
  PendingCancel: cancelRequested,
  Canceled: cancelled,
  Expired: expired,
  Filled: filled('10'),
  Updated: updated,
};

/** What does not exist here. Pairs with one of these are skipped. */
const ABSENT: Readonly<Record<string, string>> = {
  Denied: 'an order that may not be placed is an error to its sender; none exists',
  Emulated: 'nothing is held back here to be triggered by us: the broker works every order',
  Released: 'as Emulated',
  PendingUpdate: 'clients cannot amend an order: they cancel it and place another',
  ModifyRejected: 'as PendingUpdate',
  CancelRejected: 'the broker port has no such report: an order that goes on is reported as accepted',
};

/** Pairs of what we have that are decided another way, on purpose. */
const OTHERWISE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['Rejected', 'Accepted', 'Canceled', 'Expired', 'Triggered', 'Updated'].map((event) => [
      `Initialized ${event}`,
      'theirs may come into being by what a venue reports; here the recorded intent is always first',
    ]),
  ),
  'PendingCancel Updated':
    'theirs is an amendment, ours a split: that changes whatever the broker still has, also while a cancel is under way',
};

/** An account whose order is in a status, by the events that lead there. */
function accountWith(path: readonly AccountDraft[]): AccountState {
  return path.reduce(evolve, new Account().state);
}

/**
 * Each pair of a status and an event, applied by the account's `evolve`: it leads to the case's status, or is refused.
 */
export const runLifecycle: CaseRunner = ({ expected, id }) => {
  const transitions = expected.transitions as readonly (readonly [string, string, string])[];
  for (const name of new Set(transitions.flat())) {
    expect(name in STATUSES || name in EVENTS || name in ABSENT, `${id}: ${name}`).toBe(true);
  }
  for (const [from, [, path]] of Object.entries(STATUSES)) {
    for (const [event, draft] of Object.entries(EVENTS)) {
      const pair = `${from} ${event}`;
      if (pair in OTHERWISE) continue;
      const to = transitions.find(([status, type]) => status === from && type === event)?.[2];
      const next = draft.type === 'OrderFilled' ? restOf(from) : draft;
      const follow = (): OrderStatus | undefined => evolve(accountWith(path), next).orders.get('o')?.status;
      if (to === undefined) expect(follow, `${pair} is refused`).toThrow(BelegError);
      else expect(follow(), `${pair} is allowed`).toBe(STATUSES[to]![0]);
    }
  }
  expectPartialFills(transitions);
};

/** A fill of the whole rest. */
const restOf = (from: string): AccountDraft => filled(from === 'PartiallyFilled' ? '6' : '10');

/** "Filled resolves to PartiallyFilled while leaves_qty > 0": of a cancelled order nothing is left to be filled. */
function expectPartialFills(transitions: readonly (readonly [string, string, string])[]): void {
  for (const [from, event] of transitions) {
    const path = STATUSES[from]?.[1];
    if (event !== 'Filled' || path === undefined) continue;
    const { status } = evolve(accountWith(path), filled('3')).orders.get('o')!;
    expect(status, `${from} and a part of it`).toBe(from === 'Canceled' ? 'cancelled' : 'partially_filled');
  }
}
