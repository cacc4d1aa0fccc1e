import { expect, test } from 'vitest';
import { WORKING } from '../dashboard-examples.ts';
import { knownOrders } from './known-orders.ts';

const order = (n: number, status: (typeof WORKING)['status'] | 'filled') =>
  ({ ...WORKING, order_id: `o${n}`, status }) as const;

test('news is what was not seen before, or looks different', () => {
  const known = knownOrders([order(1, 'accepted')]);
  expect(known.see(order(1, 'accepted')).changed).toBe(false);
  expect(known.see(order(1, 'filled'))).toEqual({ text: JSON.stringify(order(1, 'filled')), changed: true });
  expect(known.see(order(1, 'filled')).changed).toBe(false);
  expect(known.see(order(2, 'filled')).changed).toBe(true);
  known.forget('o2');
  expect(known.see(order(2, 'filled')).changed).toBe(true);
});

test('2,000 are remembered: the oldest final ones are forgotten first, then the oldest', () => {
  const known = knownOrders([order(1, 'accepted'), order(2, 'filled'), order(3, 'filled')]);
  for (let n = 4; n <= 2_001; n++) known.see(order(n, 'accepted'));
  expect(known.openIds()).toHaveLength(1_999);
  expect(known.see(order(3, 'filled')).changed).toBe(false);
  known.see(order(2_002, 'accepted'));
  expect(known.openIds()).toHaveLength(2_000);
  known.see(order(2_003, 'accepted'));
  expect(known.openIds()).toHaveLength(2_000);
  expect(known.openIds()).not.toContain('o1');
});
