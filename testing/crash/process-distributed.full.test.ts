import { expect, test } from 'vitest';
import { hasNatsServer } from '../nats/server.suite.ts';
import { runChaos } from './process/chaos/chaos.ts';
import { tableOf } from './process/chaos/table.ts';

test.skipIf(!hasNatsServer)(
  'two minutes of what can befall separate processes lose and double nothing',
  { timeout: 900_000 },
  async () => {
    // when
    const report = await runChaos({
      seconds: 120,
      faults: 12,
      seed: 20_260_101,
      asksPerSecond: 10,
      ordersPerSecond: 3,
    });
    // then
    if (report.faults.length > 0) console.log(tableOf(report));
    expect(report.faults).toEqual([]);
    const told = Object.fromEntries(report.rows.map(({ what, acknowledged }) => [what, acknowledged]));
    expect(told['answers that can be rated']).toBeGreaterThan(0);
    expect(told['ratings']).toBeGreaterThan(0);
    expect(told['comments']).toBeGreaterThan(0);
    expect(told['orders']).toBeGreaterThan(0);
  },
);
