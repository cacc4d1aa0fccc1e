import { describe, expect, it } from 'vitest';
import { parseQuantity } from '../../events/decimal.ts';
import type { Json } from '../../events/json.ts';
import { Account, order } from './account.suite.ts';
import { KEPT_DONE } from './open-orders.ts';
import type { AccountDraft } from './commands.ts';
import { fingerprintOf } from './fingerprint.ts';
import { stateHash, fromSnapshot, toSnapshot } from './snapshot.ts';
import { findByClientOrderId } from './submit-order.ts';

/** More orders than are kept, each rejected at once; one of the first stays open. */
function longLived(): Account {
  const account = new Account();
  account.submit({ id: 'first', client: 'mine' });
  account.report('rejected', 'first');
  account.submit({ id: 'open', tif: 'gtc', client: 'waiting' });
  for (let n = 0; n < KEPT_DONE + 5; n++) {
    account.submit({ id: `o${n}`, ...(n === KEPT_DONE ? { client: 'late' } : {}) });
    account.report('rejected', `o${n}`);
  }
  return account;
}

describe('orders that are done', () => {
  const account = longLived();
  const { state } = account;

  it('are kept for as long as reports about them can come; what is open stays', () => {
    expect(state.orders.size).toBe(KEPT_DONE + 1);
    expect(state.orders.has('first')).toBe(false);
    expect(state.orders.has('o5')).toBe(true);
    expect(state.open.has('open')).toBe(true);
    expect(state.orderCount).toBe(KEPT_DONE + 7);
  });

  it('take what their clients know them by along, so that no snapshot grows for ever', () => {
    expect([...state.clientOrders.keys()]).toEqual(['waiting', 'late']);
  });

  it('are known by their client_order_id for ever, to those who bring along what is on record', () => {
    const sent = account.drafts.find(({ type }) => type === 'OrderSubmitted') as AccountDraft & {
      type: 'OrderSubmitted';
    };
    const earlier = { order_id: 'first', fingerprint: fingerprintOf(sent.data) };
    const again = { ...order({ id: 'again', client: 'mine' }), earlier };
    expect(findByClientOrderId(state, again)).toBe('first');
    expect(account.does({ type: 'submit', order: again })).toEqual([]);
    expect(() => findByClientOrderId(state, { ...again, quantity: parseQuantity('2') })).toThrow(
      expect.objectContaining({ code: 'CLIENT_ORDER_ID_REUSED' }) as Error,
    );
  });

  it('are forgotten alike from a snapshot on', () => {
    const copy = new Account();
    copy.state = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(state))) as Json);
    expect(stateHash(copy.state)).toBe(stateHash(state));
    for (const each of [account, copy]) {
      each.submit({ id: 'next' });
      const report = { type: 'rejected', order_id: 'next', reason: 'because', cursor: 'last' } as const;
      each.do({ type: 'report', report });
    }
    expect(copy.state.orders.has('o5')).toBe(false);
    expect(stateHash(copy.state)).toBe(stateHash(account.state));
  });
});
