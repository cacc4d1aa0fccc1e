import { expect, test } from 'vitest';
import { holdStrategy } from './hold.ts';
import type { StrategyView } from './strategy.ts';

const FLAT: StrategyView = { positions: new Map(), working: new Set(), totalValue: 1_000, cash: 1_000 };
const BARS = ['A', 'B'].map((ticker) => ({ ticker, close: 10 }));

test('buy and hold buys in equal parts what trades when it may act first, and leaves it', () => {
  const strategy = holdStrategy();
  expect(strategy.onSession(BARS, null)).toEqual([]);
  expect(strategy.onSession(BARS, FLAT)).toEqual([
    { ticker: 'A', weight: 0.45 },
    { ticker: 'B', weight: 0.45 },
  ]);
  const held = new Map([
    ['A', 45],
    ['B', 45],
  ]);
  const view = { ...FLAT, positions: held, cash: 100 };
  expect(strategy.onSession([...BARS, { ticker: 'NEW', close: 1 }], view)).toEqual([]);
  expect(
    strategy.onSession(
      BARS.map((bar) => ({ ...bar, close: 99 })),
      FLAT,
    ),
  ).toEqual([]);
});

test('it waits until anything trades, and knows what is not bought yet', () => {
  const strategy = holdStrategy();
  expect(strategy.onSession([], FLAT)).toEqual([]);
  expect(strategy.onSession([{ ticker: 'A', close: 10 }], FLAT)).toEqual([{ ticker: 'A', weight: 0.9 }]);
  expect([...strategy.buying]).toEqual(['A']);
});
