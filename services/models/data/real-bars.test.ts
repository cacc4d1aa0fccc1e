import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TickerBars } from './bars.ts';
import { PARTS } from './split-by-time.ts';
import { prepareDataset } from './prepare.ts';

const FOLDER = join(import.meta.dirname, '../../../../shared/market/lean_splitadj');

function readTable(file: string): TickerBars {
  const rows = readFileSync(join(FOLDER, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const column = (at: number) => Float64Array.from(rows, (row) => Number(row[at]));
  return {
    ticker: file.slice(0, -'.csv'.length),
    dates: rows.map(([date]) => date!),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(6),
  };
}

describe.skipIf(!existsSync(FOLDER))('real bars (../shared/market; skipped where they are missing)', () => {
  it('make a dataset of three parts whose volatility is that of shares', () => {
    const bars = readdirSync(FOLDER).map(readTable);
    const dataset = prepareDataset(bars, { sequenceLength: 60 });
    expect(PARTS.map((name) => [dataset[name].rows.length, dataset[name].from, dataset[name].to])).toEqual([
      [36_746, '1998-05-11', '2014-01-16'],
      [11_769, '2014-04-15', '2017-08-22'],
      [11_844, '2017-11-16', '2021-03-30'],
    ]);
    const { mean, deviation } = dataset.scaler.targets;
    // A daily volatility of 1.6 % is 25 % a year.
    expect(mean[0]).toBeCloseTo(0.0002, 3);
    expect(mean[1]).toBeGreaterThan(0.012);
    expect(mean[1]).toBeLessThan(0.02);
    expect(deviation[0]).toBeCloseTo(0.025, 3);
    // One bad price, GOOGL's low of half a cent on 2008-09-30, would alone make it 6.5.
    expect(deviation[1]).toBeLessThan(0.02);
    // QQQ has no bars from December 2004 to March 2011, and no window may span that gap.
    const first = bars.findIndex(({ ticker }) => ticker === 'QQQ');
    const offset = bars.slice(0, first).reduce((sum, { dates }) => sum + dates.length, 0);
    const back = offset + bars[first]!.dates.findIndex((date) => date >= '2011-03-01');
    const rows = new Set(PARTS.flatMap((name) => [...dataset[name].rows]));
    expect([-2, -1, 0, 29 + 58, 29 + 59].map((row) => rows.has(back + row))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });
});
