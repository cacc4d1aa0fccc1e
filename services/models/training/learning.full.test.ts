import { expect, test } from 'vitest';
import { learn, type LearningOptions } from './learning.suite.ts';

/** A small network on short windows: 1,800 steps take a second or two. `npm run bench -- learning` has a large one. */
const SMALL: Omit<LearningOptions, 'shuffled'> = {
  spec: { features: 4, sequence_length: 20, hidden_channels: 16, num_heads: 2, layers: 1, dropout: 0 },
  settings: { batch_size: 32, epochs: 12, learning_rate: 0.005, seed: 7 },
  windows: { train: 4_800, validation: 1_500, test: 100 },
  threads: 1,
};

test('it learns what a linear model cannot', async () => {
  const { network, ridge, mean } = await learn({ ...SMALL, shuffled: false });
  expect(network.return).toBeGreaterThan(0.35);
  expect(network.return).toBeGreaterThan(ridge.return + 0.1);
  expect(network.volatility).toBeGreaterThan(0.25);
  // Checks the signal itself: half of the return's part is linear.
  expect(ridge.return).toBeCloseTo(0.25, 1);
  expect(ridge.volatility).toBeLessThan(0.05);
  expect(mean).toEqual({ return: 0, volatility: 0 });
});

test('where there is nothing to learn it learns nothing', async () => {
  const { network, ridge } = await learn({ ...SMALL, shuffled: true });
  for (const { return: r2, volatility } of [network, ridge]) {
    expect(r2).toBeLessThan(0.02);
    expect(volatility).toBeLessThan(0.02);
  }
});
