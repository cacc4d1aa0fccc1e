import { join } from 'node:path';
import { expect, test } from 'vitest';
import { POLICY } from '../../actors/trading/account.suite.ts';
import type { AccountDraft } from '../../actors/trading/commands.ts';
import type { Forecast } from '../../actors/strategy/forecast.ts';
import { createStrategy, noStrategy, type StrategyName } from '../../actors/strategy/strategies.ts';
import { parseMoney } from '../../events/decimal.ts';
import { Backtest } from '../backtest/run-backtest.ts';
import { ownStrategies } from '../strategies/named.ts';
import { closeAll, openAll } from '../strategies/open-all.ts';
import { dayOf, FakeMarket } from './market.suite.ts';
import { RULES } from './paper-broker/paper-broker.suite.ts';
import { wildMarket } from './random-orders.suite.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/strategies');
const DAYS = 300;
const WARM_UP = 40;

const ACCOUNT = {
  policy: POLICY,
  rules: { ...RULES, volumeLimit: 1_000_000n },
  cash: parseMoney('100000'),
  currency: 'USD',
};

const fillsIn = (events: readonly AccountDraft[]) =>
  events.flatMap(({ type, data }) => (type === 'OrderFilled' ? [data] : []));
const tradeOf = ({ session, action, quantity, ticker }: ReturnType<typeof fillsIn>[number]): string =>
  `${session} ${action} ${quantity} ${ticker}`;

/** What a model might say, by the day and the ticker. */
function forecastsOf(n: number): ReadonlyMap<string, Forecast> {
  const of = (by: number): Forecast => ({ return: Math.sin(n / 3 + by) / 200, volatility: 0.01 + by / 500 });
  return new Map([
    ['AAA', of(0)],
    ['BBB', of(2)],
  ]);
}

async function traded(name: StrategyName, seed: number) {
  const market = new FakeMarket({ ...wildMarket(seed, DAYS, WARM_UP), days: DAYS });
  const built: AccountDraft[] = [];
  const own: AccountDraft[] = [];
  const from = dayOf(WARM_UP);
  const opened = await openAll(ownStrategies(join(EXAMPLES, `${name}.ts`)), {
    parameters: {},
    hasTicker: () => true,
    onPrinted: () => undefined,
  });
  const one = new Backtest({
    ...ACCOUNT,
    from,
    strategy: createStrategy(name),
    onEvent: (event) => built.push(event),
  });
  const other = new Backtest({
    ...ACCOUNT,
    from,
    strategy: noStrategy(),
    strategies: opened,
    onFault: (_, fault) => {
      throw fault;
    },
    onEvent: (event) => own.push(event),
  });
  for (let n = 0; n < DAYS; n += 1) {
    const session = market.session(n);
    one.run(session, forecastsOf(n));
    await other.runOwn(session, forecastsOf(n));
  }
  await closeAll(opened);
  return { built: fillsIn(built), own: fillsIn(own) };
}

// Of these seeds none has a universe, by which the built-in strategies do not go.
const SEEDS = [1, 2, 4, 5, 7, 8];
const CASES = (['crossover', 'model'] as const).flatMap((name) => SEEDS.map((seed) => [name, seed] as const));

test.each(CASES)('the %s in examples trades as the built-in one, market %i', async (name, seed) => {
  const { built, own } = await traded(name, seed);
  expect(built.length).toBeGreaterThan(10);
  expect(own.map(tradeOf)).toEqual(built.map(tradeOf));
});
