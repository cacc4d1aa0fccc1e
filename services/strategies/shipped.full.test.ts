import { expect, test } from 'vitest';
import { POLICY } from '../../actors/trading/account.suite.ts';
import type { AccountDraft } from '../../actors/trading/commands.ts';
import { parseMoney } from '../../events/decimal.ts';
import { Backtest } from '../backtest/run-backtest.ts';
import { FakeMarket } from '../trading/market.suite.ts';
import { RULES } from '../trading/paper-broker/paper-broker.suite.ts';
import { wildMarket } from '../trading/random-orders.suite.ts';
import { ownStrategies } from './named.ts';
import { closeAll, openAll } from './open-all.ts';
import { SHIPPED_NAMES } from './shipped-names.ts';

const DAYS = 300;
const ACCOUNT = { policy: POLICY, rules: RULES, cash: parseMoney('100000'), currency: 'USD' };
/** Markets are shorter than the averages of these strategies are by default. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  momentum: { lookback: 20, held: 1 },
  'mean-reversion': { trend: 20, low: 40, high: 60 },
};

async function recorded(text: string, name: string, seed: number): Promise<readonly AccountDraft[]> {
  const market = new FakeMarket({ ...wildMarket(seed, DAYS, 1), days: DAYS });
  const opened = await openAll(ownStrategies(text), {
    parameters: PARAMETERS[name] ?? {},
    hasTicker: () => true,
    onPrinted: () => undefined,
  });
  const events: AccountDraft[] = [];
  const backtest = new Backtest({
    ...ACCOUNT,
    from: null,
    strategies: opened,
    onFault: (_, fault) => {
      throw fault;
    },
    onEvent: (event) => events.push(event),
  });
  for (let n = 0; n < DAYS; n += 1) await backtest.runOwn(market.session(n));
  await closeAll(opened);
  return events;
}

const CASES = SHIPPED_NAMES.flatMap((name) => [1, 3].map((seed) => [name, seed] as const));

test.each(CASES)('%s by its name records what its file does in a process, market %i', async (name, seed) => {
  const path = new URL(`../../examples/strategies/${name}.ts`, import.meta.url).pathname;
  const [here, apart] = [await recorded(name, name, seed), await recorded(path, name, seed)];
  expect(here.filter(({ type }) => type === 'OrderFilled').length).toBeGreaterThan(0);
  expect(here.map(withoutSource)).toEqual(apart.map(withoutSource));
});

/** All but the text by which it was named. */
const withoutSource = ({ type, data }: AccountDraft) =>
  type === 'StrategyTaken' ? { type, data: { ...data, source: '' } } : { type, data };
