import { describe, expect, it } from 'vitest';
import type { Json } from '../../events/json.ts';
import { Account, order } from './account.suite.ts';
import { KEPT_DONE } from './book.ts';
import { fromSnapshot, stateHash, toSnapshot } from './snapshot.ts';
import { findByClientOrderId } from './submit.ts';

/** More orders than are kept, each rejected at once; one of the first stays open. */
function longLived(): Account {
  const account = new Account();
  account.submit({ id: 'first', client: 'mine' });
  account.report('rejected', 'first');
  account.submit({ id: 'open', tif: 'gtc' });
  for (let n = 0; n < KEPT_DONE + 5; n++) {
    account.submit({ id: `o${n}` });
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

  it('are known by their client_order_id for ever', () => {
    expect(findByClientOrderId(state, order({ id: 'again', client: 'mine' }))).toBe('first');
    account.submit({ id: 'again', client: 'mine' });
    expect(state.orders.has('again')).toBe(false);
    expect(() => findByClientOrderId(state, order({ id: 'x', client: 'mine', quantity: '2' }))).toThrow(
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
