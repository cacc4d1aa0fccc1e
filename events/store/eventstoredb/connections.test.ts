import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseAddress } from './address.ts';
import { openConnections } from './connections.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('takes no fresh connection away from all for one caller whose time is over', async () => {
  const limits = { timeoutMs: 3000, giveUpMs: 5000 };
  const connections = openConnections(parseAddress('esdb://127.0.0.1:1?tls=false'), limits);
  connections.heads.set('ask-1', { revision: 0n, hash: 'hash' });
  const first = connections.current;
  vi.advanceTimersByTime(2999);
  connections.silent(first);
  expect(connections.current).toBe(first);
  expect(connections.heads.get('ask-1')?.hash).toBe('hash');
  vi.advanceTimersByTime(1);
  connections.silent(first);
  const second = connections.current;
  expect(second).not.toBe(first);
  expect(connections.heads.get('ask-1')).toBeUndefined();
  // Twenty callers give up one after the other.
  for (let n = 0; n < 20; n++) {
    vi.advanceTimersByTime(100);
    connections.silent(n % 2 === 0 ? first : second);
  }
  expect(connections.current).toBe(second);
  await connections.close();
});
