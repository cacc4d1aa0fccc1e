import { expect, test } from 'vitest';
import { LiveAccount } from './live-account.suite.ts';

test('after 500 sessions and three deaths the figures are those of the backtest', async () => {
  const account = await LiveAccount.start({
    warmUp: 10,
    splits: { 40: { AAA: '2/1' }, 300: { BBB: '1/3' } },
    dividends: { 30: { AAA: 0.5 }, 190: { BBB: 0.25 }, 410: { AAA: 0.3 } },
  });
  try {
    for (const [days, deathAfter] of [
      [130, 57],
      [120, 3],
      [150, 110],
    ] as const) {
      await account.playThroughDeath(days, deathAfter);
    }
    await account.play(100);
    const { notes: _, ...live } = await account.performance();
    expect(live).toEqual(account.backtested().figures);
    expect(live.sessions).toBe(500);
    expect(live.trades.closed).toBeGreaterThan(200);
  } finally {
    await account.close();
  }
});
