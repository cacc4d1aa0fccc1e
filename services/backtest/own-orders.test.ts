import { describe, expect, it } from 'vitest';
import type { Strategy } from '../../actors/strategy/port.ts';
import { noStrategy } from '../../actors/strategy/strategies.ts';
import { addDays } from '../../events/dates.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { readSettings } from '../composition/settings.ts';
import { openedHere } from '../strategies/opened-here.suite.ts';
import { accountFigures } from './account-figures.ts';
import { Backtest } from './run-backtest.ts';
import { pointsOf } from './sessions.ts';

const FIRST = '2024-01-01';
const bar = { open: 100, high: 101, low: 99, close: 100, volume: 1_000_000 };

/** DAILY trades every day, WEEK every seventh day. */
const session = (n: number, splits: Readonly<Record<string, string>> = {}): SessionData => ({
  date: addDays(FIRST, n),
  bars: n % 7 === 0 ? { DAILY: bar, WEEK: bar } : { DAILY: bar },
  splits,
  dividends: {},
});

/** Runs a strategy with these answers, session by session. */
async function run(
  answers: Readonly<Record<number, object>>,
  sessions: readonly SessionData[],
  slippageBps = '0',
) {
  const strategy: Strategy = {
    history: 1,
    onSession: ({ date }) => answers[sessions.findIndex((one) => one.date === date)],
  };
  const { trading } = readSettings({ TD_FEES: 'none', TD_SLIPPAGE_BPS: slippageBps, TD_CASH: '10000' });
  const backtest = new Backtest({
    ...trading,
    strategy: noStrategy(),
    from: null,
    strategies: [openedHere('own', strategy)],
    onFault: (_, fault) => {
      throw fault;
    },
  });
  for (const one of sessions) await backtest.runOwn(one);
  return backtest;
}

const buys = (ticker: string, quantity: number) => ({ orders: [{ ticker, action: 'buy', quantity }] });

describe('an order of a strategy of one’s own', () => {
  it('that the account refuses is among what was not got, once for each reason', async () => {
    const { unmet } = await run(
      { 1: buys('DAILY', 100_000), 2: buys('DAILY', 200_000) },
      [0, 1, 2, 3].map((n) => session(n)),
    );
    expect([...unmet]).toEqual([
      ['the account refused the order: INSUFFICIENT_FUNDS', { count: 2, first: 'DAILY on 2024-01-02' }],
    ]);
  });

  it('of a ticker that does not trade on this day meets its next bar, as an order by hand does', async () => {
    const { account, unmet } = await run(
      { 9: buys('WEEK', 10) },
      Array.from({ length: 16 }, (_, n) => session(n)),
    );
    expect([...unmet]).toEqual([]);
    expect([...account.orders.values()]).toMatchObject([{ ticker: 'WEEK', status: 'filled' }]);
  });

  it('costs slippage in the report where it costs it at the fill: at the market and at a stop, not at a limit', async () => {
    const sessions = [0, 1, 2, 3].map((n) => session(n));
    const slippageOf = async (order: object): Promise<number> => {
      const { history } = await run(
        { 1: { orders: [{ ...order, ticker: 'DAILY', action: 'buy' }] } },
        sessions,
        '10',
      );
      const { rhythm } = pointsOf(sessions, null);
      const measured = { rhythm, benchmarks: [], slippagePercent: 0.1, riskFreePercent: 0 };
      return accountFigures(history, measured).costs.slippage;
    };
    expect(await slippageOf({ quantity: 10 })).toBeCloseTo(1, 9);
    expect(await slippageOf({ quantity: 10, type: 'stop', stop_price: 100.5 })).toBeCloseTo(1.005, 9);
    expect(await slippageOf({ quantity: 10, type: 'limit', price: 100.5 })).toBe(0);
  });

  it('is its trade too where the ticker ends and the shares are settled', async () => {
    const sessions = [0, 1, 2].map((n) => session(n));
    const ended = { ...session(40), bars: {}, gone: { DAILY: sessions[2]!.date } };
    const { history } = await run({ 0: buys('DAILY', 60) }, [...sessions, ended]);
    const { rhythm } = pointsOf(sessions, null);
    const measured = { rhythm, benchmarks: [], slippagePercent: 0, riskFreePercent: 0 };
    expect(history.journal.trades).toMatchObject([
      { by: 'settlement', strategy: 'own', reason: 'no longer traded' },
    ]);
    expect(accountFigures(history, measured).byStrategy).toEqual([
      { strategy: 'own', trades: 1, won: 0, total: 0 },
    ]);
  });

  it('needs a price that holds: after a split without a bar nobody knows one', async () => {
    const { unmet } = await run({ 9: buys('WEEK', 10) }, [
      ...Array.from({ length: 8 }, (_, n) => session(n)),
      session(8, { WEEK: '2/1' }),
      session(9),
    ]);
    expect([...unmet.keys()]).toEqual(['the account refused the order: MARKET_DATA_MISSING']);
  });
});
