import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountDraft } from '../../actors/trading/commands.ts';
import { LiveAccount, type OwnFiles } from './live-account.suite.ts';
import { RANDOM_ORDERS, wildMarket } from './random-orders.suite.ts';

const WARM_UP = 10;
/** The number of random markets, each with a death of the process. */
const RUNS = Number(process.env['BELEG_RUNS'] ?? 5);

const seeded = (seed: number): OwnFiles => ({
  files: { 'a.ts': RANDOM_ORDERS, 'b.ts': RANDOM_ORDERS, 'c.ts': RANDOM_ORDERS },
  named: 'a.ts=40%,b.ts=30%,c.ts=30%',
  parameters: { 'a.seed': seed, 'b.seed': seed + 1, 'c.seed': seed + 2 },
});

/** Removes differences without a meaning: ids and cursors of reports. */
function comparable(events: readonly AccountDraft[]) {
  const ids = new Map<string, string>();
  for (const { type, data } of events) {
    if (type === 'OrderSubmitted' && data.exit_of === undefined)
      ids.set(data.order_id, `order ${ids.size + 1}`);
  }
  const words = JSON.stringify(events, (key, value: unknown) => (key === 'cursor' ? undefined : value));
  return JSON.parse(
    words.replaceAll(/o-[0-9a-f]{16}/g, (id) => ids.get(id) ?? 'an order that was refused'),
  ) as AccountDraft[];
}

/** By order, because the broker's acceptance may be recorded before or after another order. */
function byOrder(events: readonly AccountDraft[]) {
  const found: Record<string, AccountDraft[]> = {};
  for (const event of events) {
    const id = ('order_id' in event.data ? event.data.order_id : null) ?? null;
    // After a death nobody knows at first whether the broker has it.
    if (id !== null && event.type !== 'OrderDeliveryUnknown') (found[id] ??= []).push(event);
  }
  return found;
}

const IN_ORDER = new Set<string>([
  'StrategyDecided',
  'StrategyOrderRefused',
  'OrderSubmitted',
  'OrderFilled',
  'SessionOpened',
  'SessionClosed',
  'SplitApplied',
  'DividendPaid',
  'TradingHalted',
  'MarginCalled',
]);

const inOrder = (events: readonly AccountDraft[]) => events.filter(({ type }) => IN_ORDER.has(type));

async function expectSame(account: LiveAccount): Promise<readonly AccountDraft[]> {
  const [live, backtest] = [comparable(await account.recorded()), comparable(await account.backtestedOwn())];
  // Compared by session, because the first difference says the most.
  const [one, other] = [inOrder(live), inOrder(backtest)];
  const first = one.findIndex((event, at) => !isDeepStrictEqual(event, other[at]));
  const at = first < 0 ? 0 : first;
  expect(one.slice(at, at + 1)).toEqual(other.slice(at, at + 1));
  expect(one).toHaveLength(other.length);
  expect(byOrder(live)).toEqual(byOrder(backtest));
  return live;
}

test('whatever orders three strategies draw, in whatever market, live they come to the same as in a backtest', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.nat(100_000), fc.integer({ min: 5, max: 40 }), async (seed, deathAfter) => {
      const days = 60;
      const account = await LiveAccount.start(wildMarket(seed, WARM_UP + days, WARM_UP), {
        own: seeded(seed % 50_000),
        policy: { shorting: seed % 2 === 0 },
        rules: { volumeLimit: 1_000_000n },
      });
      try {
        await account.playThroughDeath(45, deathAfter);
        await account.play(days - 45);
        for (const { type } of await expectSame(account)) seen.set(type, (seen.get(type) ?? 0) + 1);
      } finally {
        await account.close();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  for (const type of ['OrderAmended', 'OrderCancelled', 'OrderAdjusted', 'OrderExpired', 'DividendPaid']) {
    expect.soft(seen.get(type) ?? 0, type).toBeGreaterThan(10);
  }
}, 600_000);

test('a process that dies between the opening and the close of a session leaves no trace in what is traded', async () => {
  const account = await LiveAccount.start(wildMarket(7, WARM_UP + 120, WARM_UP), {
    own: seeded(7),
    policy: { shorting: true },
    rules: { volumeLimit: 1_000_000n },
  });
  try {
    for (const cutAfter of [17, 1, 30]) await account.playThroughCut(35, cutAfter);
    await account.play(15);
    const live = await expectSame(account);
    expect(live.filter(({ type }) => type === 'SessionClosed')).toHaveLength(120);
  } finally {
    await account.close();
  }
}, 600_000);

test(
  '500 sessions of three strategies with a share each, begun at another row and killed three times, are those of the backtest',
  { timeout: 600_000 },
  async () => {
    const account = await LiveAccount.start(wildMarket(48, WARM_UP + 500, WARM_UP), {
      own: seeded(48),
      policy: { shorting: true },
      rules: { volumeLimit: 1_000_000n },
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
      const live = await expectSame(account);
      expect(live.filter(({ type }) => type === 'SessionClosed')).toHaveLength(500);
      expect(live.filter(({ type }) => type === 'StrategyDecided').length).toBeGreaterThan(1_000);
      for (const type of ['SplitApplied', 'DividendPaid', 'OrderFilled', 'OrderAmended']) {
        expect.soft(live.filter((event) => event.type === type).length, type).toBeGreaterThan(10);
      }
      const unmet = live.flatMap((event) => (event.type === 'StrategyDecided' ? event.data.unmet : []));
      expect(unmet.filter(({ reason }) => reason === 'not in the universe').length).toBeGreaterThan(10);
    } finally {
      await account.close();
    }
  },
);
