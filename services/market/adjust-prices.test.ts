import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { adjustedCloses, asTraded, splitAdjusted } from './adjust-prices.ts';
import { columnsOf } from './bar-columns.ts';
import { csvSource } from './sources/csv-folder.ts';
import { parseActions } from './sources/actions-file.ts';
import type { SourceBar } from './sources/source.ts';

const bar = (date: string, close: number, volume = 100): SourceBar => ({
  date,
  open: close,
  high: close,
  low: close,
  close,
  volume,
});

describe('adjusting', () => {
  it('divides what traded before a split and leaves its own day alone', () => {
    const bars = [bar('2020-08-28', 499.23), bar('2020-08-31', 129.04)];
    expect(splitAdjusted(bars, [{ date: '2020-08-31', ratio: '4/1' }])).toEqual([
      bar('2020-08-28', 124.8075, 400),
      bar('2020-08-31', 129.04),
    ]);
  });

  it('multiplies what traded before a reverse split', () => {
    expect(splitAdjusted([bar('2009-06-30', 1.16)], [{ date: '2009-07-01', ratio: '1/20' }])).toEqual([
      bar('2009-06-30', 23.2, 5),
    ]);
  });

  it('finds prices and dividends as traded again in Yahoo’s convention', () => {
    const splits = [
      { date: '2014-06-09', ratio: '7/1' },
      { date: '2020-08-31', ratio: '4/1' },
    ];
    const traded = asTraded({
      bars: [bar('2014-06-06', 23.056072, 2800), bar('2020-08-28', 124.8075, 400), bar('2020-08-31', 129.04)],
      splits,
      dividends: [
        { date: '2014-05-08', amount: 0.1175 },
        { date: '2020-08-07', amount: 0.205 },
        { date: '2020-11-06', amount: 0.205 },
      ],
      convention: { bars: 'split-adjusted', dividends: 'split-adjusted' },
    });
    expect(traded).toEqual({
      bars: [bar('2014-06-06', 645.57), bar('2020-08-28', 499.23), bar('2020-08-31', 129.04)],
      splits,
      dividends: [
        { date: '2014-05-08', amount: 3.29 },
        { date: '2020-08-07', amount: 0.82 },
        { date: '2020-11-06', amount: 0.205 },
      ],
    });
  });

  it('takes a dividend out of all closes before it, in the same shares as a split of its day', () => {
    const bars = [
      bar('2020-01-01', 100),
      bar('2020-01-02', 100),
      bar('2020-01-03', 49),
      bar('2020-01-06', 50),
    ];
    const { closes, dropped } = adjustedCloses(
      columnsOf(bars),
      [{ date: '2020-01-03', ratio: '2/1' }],
      [{ date: '2020-01-03', amount: 1 }],
    );
    expect(closes).toEqual([49, 49, 49, 50]);
    expect(dropped).toEqual([]);
  });

  it('leaves out dividends that cannot be true', () => {
    const dividends = [
      { date: '2020-01-01', amount: 1 },
      { date: '2020-01-03', amount: 0.4 },
      { date: '2020-01-06', amount: 0.04 },
    ];
    const { closes, dropped } = adjustedCloses(columnsOf([bar('2020-01-02', 0.4)]), [], dividends);
    expect(closes).toEqual([0.4 * 0.9]);
    expect(dropped).toEqual(dividends.slice(0, 2));
  });

  it('comes back to what was traded, whatever the splits', () => {
    const price = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => cents / 100);
    const ratio = fc.constantFrom('2/1', '7/1', '1/20', '3/2', '10027/10000', '1/8');
    fc.assert(
      fc.property(
        fc.array(price, { minLength: 1, maxLength: 20 }),
        fc.array(ratio, { maxLength: 4 }),
        (prices, ratios) => {
          const bars = prices.map((close, at) =>
            bar(`2020-01-${String(at + 1).padStart(2, '0')}`, close, 1_000_000),
          );
          const splits = ratios.map((text, at) => ({
            date: `2020-01-${String(3 * at + 2).padStart(2, '0')}`,
            ratio: text,
          }));
          const adjusted = splitAdjusted(bars, splits);
          const convention = { bars: 'split-adjusted', dividends: 'as-traded' } as const;
          const back = asTraded({ bars: adjusted, splits, dividends: [], convention });
          for (const [at, { close, volume }] of back.bars.entries()) {
            expect(close).toBeCloseTo(prices[at]!, 4);
            expect(Math.abs(volume - 1_000_000)).toBeLessThanOrEqual(1 + 1_000_000 / adjusted[at]!.volume);
          }
        },
      ),
    );
  });
});

const MARKET = join(import.meta.dirname, '../../../shared/market');
const TICKERS = [
  'AAPL',
  'AIG',
  'BAC',
  'BNO',
  'EEM',
  'FB',
  'GOOG',
  'GOOGL',
  'IBM',
  'IWM',
  'QQQ',
  'SPY',
  'USO',
  'WM',
];

const read = async (folder: string, ticker: string) =>
  (await csvSource({ folder: join(MARKET, folder) }).fetch(ticker, null, new AbortController().signal)).bars;
const actionsOf = (ticker: string) =>
  parseActions(readFileSync(join(MARKET, 'actions/lean_actions.json'), 'utf8')).of(ticker)!;

describe.skipIf(!existsSync(MARKET))('real bars (../shared/market; skipped where it is missing)', () => {
  // These prices have 6 decimals, and the split factors 7 digits: 0.1406249 for AIG's 9/64.
  const ROUNDING = 5.1e-7;
  const FACTOR = 3.2e-6;

  it.each(TICKERS)(
    '%s: what traded, split-adjusted, is what the other folder has, and back',
    async (ticker) => {
      const traded = await read('lean_raw', ticker);
      const theirs = await read('lean_splitadj', ticker);
      const { splits } = actionsOf(ticker);
      const adjusted = splitAdjusted(traded, splits);
      const convention = { bars: 'split-adjusted', dividends: 'as-traded' } as const;
      const back = asTraded({ bars: theirs, splits, dividends: [], convention }).bars;
      expect(adjusted.map(({ date }) => date)).toEqual(theirs.map(({ date }) => date));
      const worst = { price: 0, back: 0, volume: 0 };
      for (const [at, bar] of theirs.entries()) {
        const [ours, again, was] = [adjusted[at]!, back[at]!, traded[at]!];
        for (const field of ['open', 'high', 'low', 'close'] as const) {
          const price = Math.abs(ours[field] - bar[field]) - ROUNDING;
          worst.price = Math.max(worst.price, price / bar[field]);
          const rounding = (ROUNDING * was[field]) / bar[field] + 1e-4;
          worst.back = Math.max(worst.back, (Math.abs(again[field] - was[field]) - rounding) / was[field]);
        }
        const volume = Math.abs(ours.volume - bar.volume) - 1;
        worst.volume = Math.max(worst.volume, volume / Math.max(1, bar.volume));
      }
      expect(Math.max(worst.price, worst.back, worst.volume)).toBeLessThanOrEqual(FACTOR);
    },
  );

  it.each(TICKERS)('%s: adjusted closes are theirs', async (ticker) => {
    const bars = await read('lean_raw', ticker);
    const { splits, dividends } = actionsOf(ticker);
    const file = readFileSync(join(MARKET, 'lean_raw', `${ticker}.csv`));
    const theirs = parse<{ adj_close: string }>(file, { columns: true });
    let worst = 0;
    for (const [at, close] of adjustedCloses(columnsOf(bars), splits, dividends).closes.entries()) {
      // QQQ's factors include dividends of the years without bars, which no list of actions has.
      const missing = ticker === 'QQQ' && bars[at]!.date < '2004-12-01' ? 1.0355743 : 1;
      worst = Math.max(worst, Math.abs(close / missing / Number(theirs[at]!.adj_close) - 1));
    }
    expect(worst).toBeLessThanOrEqual(5e-6);
  });
});
