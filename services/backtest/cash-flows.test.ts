import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { array, assert, double, integer, property, tuple } from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { noStrategy } from '../../actors/strategy/strategies.ts';
import { holdStrategy } from '../../actors/strategy/hold.ts';
import { addDays } from '../../events/dates.ts';
import { parseMoney } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { rhythmOfPoints } from '../market/rhythm.ts';
import { accountFigures } from './account-figures.ts';
import type { EquityPoint } from './account-history.ts';
import { assertWithin, readCashFlows, type CashFlow } from './cash-flows.ts';
import { moneyWeighted } from './money-weighted.ts';
import { returnsOf, withoutFlows } from './periods.ts';
import { Backtest, type BacktestOptions } from './run-backtest.ts';

const SESSIONS = Array.from({ length: 40 }, (_, n): SessionData => {
  const price = 100 + 10 * Math.sin(n / 5);
  return {
    date: addDays('2024-01-01', n),
    bars: { ACME: { open: price, high: price, low: price, close: price, volume: 1e9 } },
    splits: {},
    dividends: {},
  };
});

function figures(flows: readonly CashFlow[], options: Partial<BacktestOptions> = {}) {
  const { trading } = readSettings({ TD_FEES: 'none', TD_SLIPPAGE_BPS: '0', TD_LOT: '0.000001' });
  const backtest = new Backtest({ ...trading, strategy: noStrategy(), from: null, flows, ...options });
  for (const session of SESSIONS) backtest.run(session);
  const { history } = backtest;
  const rhythm = rhythmOfPoints(
    SESSIONS.map(({ date }) => date),
    null,
  );
  return {
    history,
    ...accountFigures(history, { rhythm, benchmarks: [], slippagePercent: 0, riskFreePercent: 0 }),
  };
}

const flow = (day: number, amount: string): CashFlow => ({
  date: addDays('2024-01-01', day),
  amount: parseMoney(amount),
  reason: 'test',
});

describe('cash that comes in and leaves', () => {
  it('is no return: an account that holds nothing has none, however much is moved', () => {
    const {
      performance,
      flows,
      initial,
      final,
      moneyWeighted: money,
      byTicker,
    } = figures([flow(0, '50000'), flow(7, '-120000'), flow(30, '0.01')]);
    expect(performance).toMatchObject({ totalReturn: 0, annualVolatility: 0, maxDrawdown: 0 });
    expect({ flows, initial, final }).toEqual({
      flows: { deposited: 50_000.01, withdrawn: 120_000 },
      initial: 100_000,
      final: 30_000.01,
    });
    expect(money.total).toBeCloseTo(0, 9);
    expect(byTicker).toEqual([]);
  });

  it('is there before the session of its day, and what the tickers brought is what remains of the gain', () => {
    const held = figures([flow(3, '100000')], { strategy: holdStrategy(['ACME']) });
    expect(held.history.equity[4]).toMatchObject({ session: '2024-01-04', flow: 100_000 });
    const total = held.byTicker.reduce((sum, one) => sum + one.total, 0);
    expect(held.initial + held.flows.deposited + total).toBeCloseTo(held.final, 6);
  });

  it('changes no time-weighted return, in whatever order it comes', () => {
    const returns = array(
      tuple(double({ min: -0.2, max: 0.2, noNaN: true }), integer({ min: -40, max: 400 })),
      { minLength: 1, maxLength: 60 },
    );
    assert(
      property(returns, (periods) => {
        const equity: EquityPoint[] = [{ session: '2024-01-01', value: 1_000 }];
        for (const [at, [change, percent]] of periods.entries()) {
          const { value } = equity.at(-1)!;
          const moved = (value * percent) / 100;
          equity.push({
            session: addDays('2024-01-01', at),
            value: (value + moved) * (1 + change),
            ...(moved === 0 ? {} : { flow: moved }),
          });
        }
        for (const [at, value] of returnsOf(withoutFlows(equity)).entries()) {
          expect(value).toBeCloseTo(periods[at]![0], 9);
        }
      }),
    );
  });

  it('is refused in a test as it is live: more than is free cannot be withdrawn', () => {
    expect(() => figures([flow(5, '-100000.01')])).toThrow(
      /^the cash of 2024-01-06: .*At most 100000 can be withdrawn/,
    );
  });
});

describe('the money-weighted return', () => {
  // The example in Microsoft's documentation of XIRR: 37.34 %.
  it('is what spreadsheets say', () => {
    const { annual } = moneyWeighted([
      { session: '2008-01-01', value: 10_000 },
      { session: '2008-03-01', value: 0, flow: -2_750 },
      { session: '2008-10-30', value: 0, flow: -4_250 },
      { session: '2009-02-15', value: 0, flow: -3_250 },
      { session: '2009-04-01', value: 2_750 },
    ]);
    expect(annual).toBeCloseTo(0.373_362_535, 8);
  });

  it('without cash from outside is the time-weighted one; of less than eleven months there is none a year', () => {
    const year = moneyWeighted([
      { session: '2023-01-01', value: 100 },
      { session: '2024-01-01', value: 110 },
    ]);
    expect(year.annual).toBeCloseTo(0.1, 12);
    expect(year.total).toBeCloseTo(0.1, 12);
    const short = moneyWeighted([
      { session: '2023-01-01', value: 100 },
      { session: '2023-02-01', value: 110 },
    ]);
    expect(short.annual).toBeNull();
    expect(short.total).toBeCloseTo(0.1, 12);
  });

  it('says that money came at a bad time where the account says nothing of it', () => {
    const late = [
      { session: '2022-01-01', value: 100 },
      { session: '2023-01-01', value: 150 },
      { session: '2024-01-01', value: 1_050 * 0.9, flow: 900 },
    ];
    expect(withoutFlows(late).at(-1)!.value).toBeCloseTo(135, 9);
    expect(moneyWeighted(late).total).toBeLessThan(0);
  });
});

async function write(text: string | Buffer): Promise<string> {
  const file = join(temporaryFolder(), 'cash.csv');
  await writeFile(file, text);
  return file;
}

describe('a file of cash', () => {
  it('is read in the order of its days', async () => {
    const file = await write(
      'Date,Amount,Reason\n2024-02-01,-12.5,rent\n2024-01-15,1000,\n2024-01-01,5,salary\n',
    );
    expect(await readCashFlows(file)).toEqual([
      { date: '2024-01-01', amount: parseMoney('5'), reason: 'salary' },
      { date: '2024-01-15', amount: parseMoney('1000'), reason: 'cash' },
      { date: '2024-02-01', amount: parseMoney('-12.5'), reason: 'rent' },
    ]);
    expect(await readCashFlows(await write('date,amount\n2024-01-15,1000\n'))).toHaveLength(1);
  });

  test.each([
    ['Windows-1252', Buffer.from('date,amount,reason,note\n2024-01-15,1000,bonus,Prämie\n', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFdate,amount,reason\n2024-01-15,1000,bonus\n', 'utf16le')],
    ['semicolons', 'date;amount;reason\n2024-01-15;1000;bonus\n'],
    ['UTF-8 with a byte-order mark', '\uFEFFdate,amount,reason\n2024-01-15,1000,bonus\n'],
  ])('in %s is read as a table is', async (_, bytes) => {
    expect(await readCashFlows(await write(bytes))).toEqual([
      { date: '2024-01-15', amount: parseMoney('1000'), reason: 'bonus' },
    ]);
  });

  test.each([
    ['date,amount\n2024-01-15,a lot\n', /:2: amount: is no amount/],
    ['date;amount\n2024-01-15;-1.500\n', /:2: amount: -1\.500 is not clear: write -1500 if/],
    ['date,amount\n2024-01-15,1\n2024-02-30,1\n', /:3: date: /],
    ['date,amount\n2024-01-15,0\n', /:2: amount: is 0/],
    ['day,amount\n2024-01-15,1\n', /:2: date: /],
    ['date,amount\n2024-01-05\n', /:2: 1 fields instead of 2/],
    ['date,amount\n2024-01-05,1,200\n', /:2: 3 fields instead of 2/],
    ['date,amount\n2024-01-05,"1\n', /\.csv cannot be read as rows of date,amount: /],
  ])('%j is refused with its line', async (text, fault) => {
    await expect(readCashFlows(await write(text))).rejects.toThrow(fault);
  });

  it('has no cash outside the sessions', () => {
    expect(() => assertWithin([flow(50, '1')], '2024-01-01', '2024-02-09')).toThrow(/outside the sessions/);
    expect(assertWithin([flow(39, '1')], '2024-01-01', '2024-02-09')).toBeUndefined();
  });
});
