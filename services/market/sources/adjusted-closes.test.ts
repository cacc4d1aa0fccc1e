import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitAdjusted } from '../adjust-prices.ts';
import { columnsOf, type BarColumns } from '../bar-columns.ts';
import { deriveActions, looksSplitAdjusted } from './adjusted-closes.ts';
import { parseActions } from './actions-file.ts';
import { readBars } from './csv-table.ts';

const bars = (...closes: number[]): BarColumns =>
  columnsOf(
    closes.map((close, at) => ({
      date: `2020-01-${String(at + 1).padStart(2, '0')}`,
      open: close,
      high: close,
      low: close,
      close,
      volume: 100,
    })),
  );

const many = (price: number) => bars(...Array.from({ length: 20 }, (_, at) => price + at));

describe('what adjusted closes say', () => {
  it('of a dividend is its share of the close before', () => {
    // A dividend of 0.5 at a price of 50 on the third day.
    expect(deriveActions(bars(49, 50, 50.25, 51), [48.51, 49.5, 50.25, 51])).toEqual({
      splits: [],
      dividends: [{ date: '2020-01-03', amount: 0.5 }],
      coarseUntil: null,
      unclear: [],
    });
  });

  it('of a ratio of whole numbers that is rare is that, not a near one and a dividend', () => {
    for (const [before, after, adjusted, ratio] of [
      [900, 100, 100, '9/1'],
      [1, 35, 35, '1/35'],
      [120, 50, 50, '12/5'],
      [7, 16, 16, '7/16'],
      [110, 50, 50, '11/5'],
    ] as const) {
      const table = bars(before, after, after);
      expect(deriveActions(table, [adjusted, adjusted, adjusted])).toMatchObject({
        splits: [{ date: '2020-01-02', ratio }],
        dividends: [],
        unclear: [],
      });
    }
  });

  it('that may mean two things is said', () => {
    const stock = deriveActions(bars(105, 100, 100.5), [100, 100, 100.5]);
    expect(stock.unclear).toEqual([
      'the change of its adjusted closes on 2020-01-02 was taken for a dividend of 4.76 %, not for 21 shares for 20: ' +
        'where that is wrong, state it in actions.json',
    ]);
    expect(deriveActions(bars(100, 85, 86), [85, 85, 86]).unclear[0]).toMatch(/a dividend of 15 %/);
    expect(deriveActions(bars(100, 24.8, 25), [24.75, 24.8, 25]).unclear[0]).toMatch(
      /a split of 4\/1 and a dividend of 1 %/,
    );
    expect(deriveActions(bars(100, 100, 100), [130, 100, 100]).unclear[0]).toMatch(
      /no split and no dividend/,
    );
  });

  it('of a split is its ratio where the price moved with it, and the dividend of that day is a new share’s', () => {
    expect(deriveActions(bars(100, 26, 26), [25, 26, 26])).toMatchObject({
      splits: [{ date: '2020-01-02', ratio: '4/1' }],
      dividends: [],
    });
    expect(deriveActions(bars(100, 24.8, 25), [24.75, 24.8, 25])).toMatchObject({
      splits: [{ date: '2020-01-02', ratio: '4/1' }],
      dividends: [{ date: '2020-01-02', amount: 0.25 }],
    });
    expect(deriveActions(bars(2, 21, 20), [20, 21, 20])).toMatchObject({
      splits: [{ date: '2020-01-02', ratio: '1/10' }],
    });
  });

  it('is nothing where rounding explains it, and that is said where it could hide a dividend', () => {
    const rounded = deriveActions(bars(10.01, 10.02, 10.01), [0.91, 0.91, 0.91]);
    expect(rounded).toMatchObject({ splits: [], dividends: [], coarseUntil: '2020-01-03' });
    expect(deriveActions(bars(10, 10), [Number.NaN, 10])).toMatchObject({ dividends: [] });
    expect(deriveActions(bars(10, 10), [])).toMatchObject({ dividends: [] });
  });
});

describe('prices that no exchange has', () => {
  it('look split-adjusted; cents and old fractions do not', () => {
    expect(looksSplitAdjusted(many(1.052_083))).toBe(true);
    for (const price of [13.63, 16.25, 1.015_625, 187.440_002])
      expect(looksSplitAdjusted(many(price))).toBe(false);
  });
});

const MARKET = join(import.meta.dirname, '../../../../shared/market');

const table = (folder: string, ticker: string) => {
  const file = `${ticker}.csv`;
  return readBars(file, readFileSync(join(MARKET, folder, file)));
};
const known = (ticker: string) =>
  parseActions(readFileSync(join(MARKET, 'actions/lean_actions.json'), 'utf8')).of(ticker)!;
const sum = (dividends: readonly { readonly amount: number }[]) =>
  dividends.reduce((total, { amount }) => total + amount, 0);

describe.skipIf(!existsSync(MARKET))('real tables (../shared/market; skipped where it is missing)', () => {
  it.each(['AAPL', 'IBM', 'SPY', 'BAC', 'AIG'])(
    'as traded, %s has the splits and dividends that are known',
    (ticker) => {
      const { bars: traded, adjusted } = table('lean_raw', ticker);
      const { splits, dividends } = deriveActions(traded, adjusted!);
      expect(splits).toEqual(known(ticker).splits);
      // A dividend on the day of the first bar cannot be derived.
      const later = known(ticker).dividends.filter(({ date }) => date > traded.dates[0]!);
      expect(dividends.map(({ date }) => date)).toEqual(later.map(({ date }) => date));
      for (const [at, { amount }] of dividends.entries()) expect(amount).toBeCloseTo(later[at]!.amount, 2);
    },
  );

  it.each(['AAPL', 'IBM', 'SPY', 'BAC'])(
    'split-adjusted, %s has the dividends, in shares of its last day',
    (ticker) => {
      const { bars: there, adjusted } = table('lean_splitadj', ticker);
      const { splits, dividends } = deriveActions(there, adjusted!);
      expect(splits).toEqual([]);
      const actions = known(ticker);
      const inShares = splitAdjusted(
        actions.dividends.map(({ date, amount }) => ({
          date,
          open: 1,
          high: 1,
          low: 1,
          close: amount,
          volume: 0,
        })),
        actions.splits,
      );
      const expected = inShares.reduce((total, { close }) => total + close, 0);
      expect(Math.abs(sum(dividends) / expected - 1)).toBeLessThan(0.01);
    },
  );

  it('of Yahoo look split-adjusted', () => {
    for (const ticker of ['ORCL', 'YHOO', 'NVDA']) {
      expect(looksSplitAdjusted(table('yahoo_backtrader', ticker).bars)).toBe(true);
    }
  });
});
