import { expect, test } from 'vitest';
import { crashTrading } from './crash-trading.ts';

test(
  'a process killed while it trades loses no order and doubles none, and its account adds up',
  { timeout: 600_000 },
  async () => {
    const report = await crashTrading({ stories: 3, killsEach: 4, seed: 20_260_101 });
    expect(report.faults).toEqual([]);
    expect(report.kills).toBeGreaterThan(2);
    expect(report.fills).toBeGreaterThan(10);
  },
);
