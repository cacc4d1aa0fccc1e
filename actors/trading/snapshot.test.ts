import { describe, expect, it } from 'vitest';
import { ZodError } from 'zod';
import type { Json } from '../../events/json.ts';
import { Account, opening } from './account.suite.ts';
import { stateHash, fromSnapshot, toSnapshot } from './snapshot.ts';

/** An account of which everything that a state can hold is there. */
function eventful(): Account {
  const account = new Account({ settlementSessions: 2, shorting: true }).holds('10', '100', 'AAA', '1');
  account.do(opening('2024-01-02'));
  account.submit({ id: 'a', action: 'sell', quantity: '4', client: 'c1', tif: 'gtc' });
  account.trade('2', '101', { id: 'a' });
  account.submit({ id: 'b', type: 'stop_limit', price: '90', stop: '95', tif: 'gtc' });
  account.do({ type: 'cancel', order_id: 'b' });
  account.submit({ id: 'c', ticker: 'BBB', action: 'sell' });
  account.report('rejected', 'c');
  account.do({ type: 'close-session', session: '2024-01-02', closes: new Map() });
  account.trade('1', '1', { id: 'nobody knows it' });
  account.do({ type: 'set-clock', paused: true, speed: 2 });
  return account;
}

/** The snapshot as it is read from a file. */
const stored = (account: Account): Json => JSON.parse(JSON.stringify(toSnapshot(account.state))) as Json;

describe('a snapshot', () => {
  it('brings the whole state back, what is derived included', () => {
    const account = eventful();
    expect(fromSnapshot(stored(account))).toEqual(account.state);
  });

  it('shares nothing with the state', () => {
    const account = eventful();
    const snapshot = toSnapshot(account.state);
    const text = JSON.stringify(snapshot);
    account.trade('2', '101', { id: 'a' });
    account.do(opening('2024-01-03'));
    expect(JSON.stringify(snapshot)).toBe(text);
  });

  it.each<[string, (snapshot: Record<string, Json>) => Json]>([
    ['of another version', (snapshot) => ({ ...snapshot, version: 0 })],
    ['with something missing', (snapshot) => ({ ...snapshot, cash: null })],
    ['with a number that is none', (snapshot) => ({ ...snapshot, cash: '1.5' })],
    ['that is none', () => null],
  ])('%s is refused', (_, change) => {
    const snapshot = change(stored(eventful()) as Record<string, Json>);
    expect(() => fromSnapshot(snapshot)).toThrow(ZodError);
  });
});

describe('the hash of a state', () => {
  it('is that of an equal state, and of no other', () => {
    const hash = stateHash(eventful().state);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(stateHash(eventful().state)).toBe(hash);
    const other = eventful();
    other.do(opening('2024-01-03'));
    expect(stateHash(other.state)).not.toBe(hash);
  });

  it('sees each member of an order', () => {
    const account = eventful();
    const hash = stateHash(account.state);
    for (const [name, value] of Object.entries(account.state.orders.get('a')!)) {
      const other = eventful();
      const changed = typeof value === 'bigint' ? value + 1n : typeof value === 'boolean' ? !value : 'other';
      Object.assign(other.state.orders.get('a')!, { [name]: name === 'trades' ? ['other'] : changed });
      expect(stateHash(other.state), `${name} counts`).not.toBe(hash);
    }
  });
});
