import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { dateOf } from '../../events/dates.ts';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { crossover } from '../../actors/strategy/crossover.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { readSettings } from '../composition/settings.ts';
import { rhythmOf } from '../market/rhythm.ts';
import { Benchmarks } from './benchmark.ts';
import { parametersOf } from './parameters.ts';
import { writeResult } from './result-files.ts';
import { Backtest } from './run-backtest.ts';
import { pricesWithFills, tickersWithFills } from './prices-with-fills.ts';
import { BacktestResult } from './result-schema.ts';
import { summarise } from './summary.ts';

const folder = sharedFolder();
const CASH = 10_000;

function bar(price: number) {
  const close = Number(price.toFixed(2));
  return { open: close, high: close + 1, low: close - 1, close, volume: 1_000_000 };
}

/** Two tickers that rise and fall, one with a split and one with a dividend. */
const SESSIONS: SessionData[] = Array.from({ length: 200 }, (_, n) => {
  const date = dateOf(Date.UTC(2020, 0, 1 + n));
  const halved = n >= 120 ? 2 : 1;
  return {
    date,
    bars: { UP: bar((100 + 30 * Math.sin(n / 15)) / halved), DOWN: bar(50 + 10 * Math.cos(n / 11)) },
    splits: n === 120 ? { UP: '2/1' } : {},
    dividends: n % 40 === 39 ? { DOWN: 0.25 } : {},
  };
});

it('has all that is needed to compute the result again', async () => {
  const { trading } = readSettings({ TD_CASH: String(CASH) });
  const strategy = crossover();
  const backtest = new Backtest({
    ...trading,
    strategy,
    from: null,
    eachHolding: true,
  });
  const rhythm = rhythmOf(SESSIONS.map(({ date }) => date));
  const compared = {
    tickers: ['DOWN', 'UP'],
    index: '',
    rhythm,
    sessions: SESSIONS,
    indexSessions: SESSIONS,
  };
  const benchmarks = new Benchmarks({ ...trading, from: null }, compared);
  for (const session of SESSIONS) {
    backtest.run(session);
    benchmarks.run(session, { ...session, bars: {} });
  }
  const summary = summarise(backtest, {
    strategy: strategy.name,
    parameters: parametersOf({ ...trading, strategy }),
    source: 'test',
    synthetic: true,
    tickers: ['DOWN', 'UP'],
    notes: [],
    earlierNotes: [],
    benchmarks: benchmarks.results,
    rhythm,
    model: null,
    data: '',
    command: '',
  });
  await writeResult(folder, { summary, history: backtest.history });
  const table = async (name: string): Promise<Record<string, string>[]> =>
    parse(await readFile(join(folder, `${name}.csv`)), { columns: true });

  const [equity, fills, weights, dividends] = await Promise.all(
    ['equity', 'fills', 'weights', 'dividends'].map(table),
  );
  expect(fills!.length).toBeGreaterThan(4);
  expect(dividends!.length).toBeGreaterThan(0);
  const reasons = [...fills!, ...(await table('orders'))].map((row) => Object.entries(row).at(-1));
  expect(new Set(reasons.map(String))).toEqual(new Set(['reason,strategy']));
  // Cash from fills and dividends plus positions by the weights at each close is the value at each close.
  let cash = CASH;
  for (const { session, value, exposure_gross } of equity!) {
    for (const fill of fills!.filter((one) => one['session'] === session)) {
      const sign = fill['action'] === 'buy' ? -1 : 1;
      cash += sign * Number(fill['quantity']) * Number(fill['price']) - Number(fill['fee']);
    }
    for (const one of dividends!.filter((dividend) => dividend['session'] === session)) {
      cash += Number(one['amount']);
    }
    const held = weights!.filter((one) => one['session'] === session);
    const worth = held.reduce((sum, one) => sum + Number(one['value']), 0);
    expect(cash + worth).toBeCloseTo(Number(value), 6);
    expect(worth / Number(value)).toBeCloseTo(Number(exposure_gross), 9);
  }
  expect(Number(equity!.at(-1)!['value'])).toBe(summary.final);
  // The profits of the tickers sum up to that of the account.
  const total = summary.byTicker.reduce((sum, one) => sum + one.total, 0);
  expect(total).toBeCloseTo(summary.final - CASH, 6);
  for (const of of [summary.byReason, summary.byStrategy]) {
    expect(of.reduce((sum, one) => sum + one.total, 0)).toBeCloseTo(summary.final - CASH, 6);
  }
  expect(summary.byReason.map(({ kind }) => kind)).toEqual(['closed', 'open', 'dividends']);
  // Every fill, and nothing else, is a mark on the prices, split-adjusted as of the last day.
  const marks = pricesWithFills(SESSIONS, tickersWithFills(SESSIONS, summary.fills)).flatMap(
    ({ markers }) => markers,
  );
  expect(marks).toHaveLength(fills!.length);
  const halved = (session: string, ticker: string): number =>
    ticker === 'UP' && session < SESSIONS[120]!.date ? 2 : 1;
  expect(
    marks.map(({ session, action, value }) => `${session} ${action} ${value.toFixed(6)}`).sort(),
  ).toEqual(
    summary.fills
      .map(
        ({ session, ticker, action, price }) =>
          `${session} ${action} ${(price / halved(session, ticker)).toFixed(6)}`,
      )
      .sort(),
  );
  const result = JSON.parse(await readFile(join(folder, 'result.json'), 'utf8')) as { final: number };
  expect(result.final).toBe(summary.final);
  expect(BacktestResult.parse(result)).toEqual(result);

  const exit = { reduce_only: true, trail: { percent: 5 }, linked_to: 'b-1-profit-1', exit_of: 'b-1' };
  const trailing = { ...summary, orders: [{ ...summary.orders[0]!, ...exit }] };
  await writeResult(folder, { summary: trailing, history: backtest.history });
  expect(await table('orders')).toMatchObject([
    { linked_to: 'b-1-profit-1', exit_of: 'b-1', reduce_only: 'true', trail_amount: '', trail_percent: '5' },
  ]);
});

it('shows the tickers that have two closes, and reads each session once for all of them', () => {
  const bar = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
  const shown = [['A'], ['A', 'B', 'C'], ['C'], ['A', 'C']];
  let made = 0;
  const sessions = shown.map((tickers, n) => ({
    date: dateOf(Date.UTC(2024, 0, 1 + n)),
    get bars() {
      made += 1;
      return Object.fromEntries(tickers.map((ticker) => [ticker, bar]));
    },
    splits: {},
    dividends: {},
  }));
  const fill = { session: sessions[1]!.date, action: 'buy', quantity: 1, price: 1 } as const;
  const fills = ['B', 'C', 'D', 'C', 'A'].map((ticker) => ({ ...fill, ticker }));
  expect(tickersWithFills(sessions, fills).map(([ticker]) => ticker)).toEqual(['C', 'A']);
  expect(made).toBe(sessions.length);
});
