import { expect, test } from 'vitest';
import { holdStrategy } from './hold.ts';
import type { StrategyView } from './strategy.ts';

const FLAT: StrategyView = { positions: new Map(), working: new Set(), totalValue: 1_000, cash: 1_000 };
const BARS = { A: { close: 10 }, B: { close: 10 } };

test('buy and hold buys its tickers in equal parts as each comes to trade, and leaves them', () => {
  const strategy = holdStrategy(['A', 'B']);
  expect(strategy.onSession(BARS, null)).toEqual([]);
  expect([...strategy.buying]).toEqual(['A', 'B']);
  expect(strategy.onSession({}, FLAT)).toEqual([]);
  // On a Saturday, the other one's exchange is closed.
  expect(strategy.onSession({ A: BARS.A }, FLAT)).toEqual([{ ticker: 'A', weight: 0.45 }]);
  const half = { ...FLAT, positions: new Map([['A', 45]]), cash: 550 };
  expect(strategy.onSession({ ...BARS, NEW: { close: 1 } }, half)).toEqual([{ ticker: 'B', weight: 0.45 }]);
  const whole = new Map([
    ['A', 45],
    ['B', 45],
  ]);
  expect(strategy.onSession(BARS, { ...FLAT, positions: whole, cash: 100 })).toEqual([]);
  expect(strategy.onSession(BARS, FLAT)).toEqual([]);
});
