import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMoney } from '../../events/decimal.ts';
import * as messages from '../../events/messages/trading.ts';
import { LiveAccount } from './live-account.suite.ts';
import { dayOf } from './market.suite.ts';

const WARM_UP = 10;
const SESSIONS = 120;

/** The cash that came in and left, by the day before whose session it did. */
const FLOWS = [
  { date: dayOf(WARM_UP + 60), amount: parseMoney('25000'), reason: 'deposit' },
  { date: dayOf(WARM_UP + 80), amount: parseMoney('-1000.5'), reason: 'rent' },
];

let account: LiveAccount;
beforeAll(async () => {
  account = await LiveAccount.start({
    warmUp: WARM_UP,
    splits: { 40: { AAA: '2/1' }, 70: { BBB: '1/3' } },
    dividends: { 30: { AAA: 0.5 }, 90: { BBB: 0.25 } },
  });
  await account.play(60);
  const deposit = { amount: 25_000, reason: 'deposit', client_cash_id: 'c-1' };
  await account.ask(messages.MoveCash, deposit);
  await account.ask(messages.MoveCash, deposit);
  await account.play(20);
  await account.ask(messages.MoveCash, { amount: -1_000.5, reason: 'rent' });
  await account.play(SESSIONS - 80);
});
afterAll(() => account.close());

test('a live account has the figures of the backtest over the same sessions, to the last digit', async () => {
  const { figures } = account.backtested(FLOWS);
  const { notes: _, ...live } = await account.performance();
  expect(live).toEqual(figures);
  expect(live).toMatchObject({ sessions: SESSIONS, benchmarks: [{}, { name: 'Hold AAA, 90 % invested' }] });
  expect(live.trades.closed).toBeGreaterThan(50);
  expect(live.resampled).not.toBeNull();
});

test('its closed trades and its equity are those of the backtest, page by page', async () => {
  const { result } = account.backtested(FLOWS);
  const { trades: newest } = await account.ask(messages.AccountTrades, {
    limit: 20,
    before: null,
    lots: 'fifo',
  });
  const before = newest[0]!.number;
  const { trades: earlier } = await account.ask(messages.AccountTrades, {
    limit: 2_000,
    before,
    lots: 'fifo',
  });
  const all = [...earlier, ...newest];
  expect(newest).toHaveLength(20);
  expect(all).toEqual(result.trades.list.map((trade, at) => ({ number: at + 1, ...trade })));

  const { points: last } = await account.ask(messages.EquityCurve, { limit: 50 });
  const { points: first } = await account.ask(messages.EquityCurve, {
    limit: 5_000,
    before: last[0]!.session,
  });
  const live = [...first, ...last].map(({ session, total_value }) => ({ session, value: total_value }));
  const tested = result.equity.map(({ session, value }) => ({ session, value }));
  expect(last).toHaveLength(50);
  expect(live).toEqual(tested);
});

test('what two halves of the time brought is what the whole brought', async () => {
  const [middle, next] = [dayOf(WARM_UP + 59), dayOf(WARM_UP + 60)];
  const whole = await account.performance({ benchmark: 'none' });
  const first = await account.performance({ to: middle, benchmark: 'none' });
  const second = await account.performance({ from: next, benchmark: 'none' });
  expect([first.sessions, second.sessions]).toEqual([60, 60]);
  expect([first.from, first.to, second.from]).toEqual([dayOf(WARM_UP), middle, next]);
  expect(second.initial).toBe(first.final);
  expect([first.flows, second.flows]).toEqual([
    { deposited: 0, withdrawn: 0 },
    { deposited: 25_000, withdrawn: 1_000.5 },
  ]);
  expect([first.initial, second.final]).toEqual([whole.initial, whole.final]);
  const growth = (one: typeof whole): number => 1 + one.performance.totalReturn!;
  expect(growth(first) * growth(second)).toBeCloseTo(growth(whole), 12);
  for (const of of ['realized', 'unrealized', 'dividends'] as const) {
    expect(first[of] + second[of]).toBeCloseTo(whole[of], 6);
  }
  for (const of of ['fees', 'slippage', 'borrowing'] as const) {
    expect(first.costs[of] + second.costs[of]).toBeCloseTo(whole.costs[of], 6);
  }
  expect(first.trades.closed + second.trades.closed).toBe(whole.trades.closed);
  expect(second.byTicker.reduce((sum, { total }) => sum + total, 0)).toBeCloseTo(
    second.final - second.initial - 25_000 + 1_000.5,
    6,
  );
});

test('it is compared with one ticker where that is asked for, and with nothing where it is not', async () => {
  const { benchmarks, performance } = await account.performance({ benchmark: 'BBB' });
  expect(benchmarks).toMatchObject([
    { name: 'Hold BBB, 90 % invested', relative: { beta: expect.any(Number) } },
  ]);
  const alone = await account.performance({ benchmark: 'none' });
  expect(alone.benchmarks).toEqual([]);
  expect(alone.performance).toEqual(performance);
  await expect(account.performance({ benchmark: 'NONE' })).rejects.toMatchObject({ code: 'UNKNOWN_TICKER' });
});

test('without a session in the time that is asked for there is nothing to say', async () => {
  const nothing = await account.performance({ from: '2099-01-01' });
  expect(nothing).toMatchObject({
    from: null,
    sessions: 0,
    haltedSessions: 0,
    performance: { totalReturn: null, sharpe: null },
    costs: { fees: 0, slippage: 0 },
    trades: { closed: 0 },
    benchmarks: [],
  });
  expect(nothing.initial).toBe(nothing.final);
});
