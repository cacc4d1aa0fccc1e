import { expect, test } from 'vitest';
import buyAndHold from '../../examples/strategies/buy-and-hold.ts';
import crossover from '../../examples/strategies/crossover.ts';
import meanReversion from '../../examples/strategies/mean-reversion.ts';
import model from '../../examples/strategies/model.ts';
import momentum from '../../examples/strategies/momentum.ts';
import type { Forecast } from '../../actors/strategy/forecast.ts';
import type { Strategy } from '../../actors/strategy/port.ts';
import { POLICY } from '../../actors/trading/account.suite.ts';
import type { AccountDraft } from '../../actors/trading/commands.ts';
import { parseMoney } from '../../events/decimal.ts';
import type { Json } from '../../events/json.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { Backtest } from '../backtest/run-backtest.ts';
import { FakeMarket } from '../trading/market.suite.ts';
import { RULES } from '../trading/paper-broker/paper-broker.suite.ts';
import { wildMarket } from '../trading/random-orders.suite.ts';
import type { HostedStrategy } from './hosted.ts';
import { runHere } from './run-here.ts';

const DAYS = 120;
/** So thin that many orders are filled in part, and the rest waits. */
const ACCOUNT = {
  policy: POLICY,
  rules: { ...RULES, volumeLimit: 1_000_000n },
  cash: parseMoney('100000'),
  currency: 'USD',
};

const NAMED = { name: 'tested', source: 'tested', share: null };

interface Tested {
  readonly strategy: Strategy;
  readonly parameters?: Readonly<Record<string, number>>;
}

const hosted = ({ strategy, parameters = {} }: Tested): HostedStrategy =>
  runHere({ ...NAMED, hash: '', strategy, parameters });

/** The same strategy in a process that ends after each session: it begins anew, with its memory as it is on record. */
function restarted(tested: Tested): HostedStrategy {
  let past: readonly SessionData[] = [];
  return {
    ...hosted(tested),
    begin(sessions) {
      past = sessions;
    },
    async decide({ state, ...question }) {
      const strategy = hosted(tested);
      await strategy.begin(past);
      past = [...past, question.session];
      return strategy.decide({ ...question, state: JSON.parse(JSON.stringify(state)) as Json });
    },
  };
}

const forecastsOf = (n: number): ReadonlyMap<string, Forecast> =>
  new Map(
    ['AAA', 'BBB'].map((ticker, at) => [
      ticker,
      { return: Math.sin(n / 3 + 2 * at) / 200, volatility: 0.01 + at / 250 },
    ]),
  );

async function recorded(strategy: HostedStrategy, seed: number): Promise<readonly AccountDraft[]> {
  const market = new FakeMarket({ ...wildMarket(seed, DAYS, 1), days: DAYS });
  const events: AccountDraft[] = [];
  const backtest = new Backtest({
    ...ACCOUNT,
    from: null,
    strategies: [{ source: { ...NAMED, runs: { kind: 'shipped' } }, strategy }],
    onFault: (_, fault) => {
      throw fault;
    },
    onEvent: (event) => events.push(event),
  });
  for (let n = 0; n < DAYS; n += 1) await backtest.runOwn(market.session(n), forecastsOf(n));
  return events;
}

const CASES: Readonly<Record<string, Tested>> = {
  crossover: { strategy: crossover },
  model: { strategy: model },
  momentum: { strategy: momentum, parameters: { lookback: 20, held: 1 } },
  'mean-reversion': { strategy: meanReversion, parameters: { trend: 20, low: 40, high: 60 } },
  'buy-and-hold': { strategy: buyAndHold },
};

/** Random markets of each strategy. */
const MARKETS = 80;

test.each(Object.entries(CASES))(
  'the %s of examples records the same where its process ends after each session',
  async (_, tested) => {
    let fills = 0;
    for (let seed = 1; seed <= MARKETS; seed += 1) {
      const whole = await recorded(hosted(tested), seed);
      expect(await recorded(restarted(tested), seed), `market ${seed}`).toEqual(whole);
      fills += whole.filter(({ type }) => type === 'OrderFilled').length;
    }
    expect(fills).toBeGreaterThan(MARKETS);
  },
  600_000,
);
