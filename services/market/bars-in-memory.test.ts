import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../events/dates.ts';
import { columnsOf } from './bar-columns.ts';
import { barsInMemory, until } from './bars-in-memory.ts';
import { readSessions } from './sessions.ts';
import type { SourceBar } from './sources/source.ts';
import { openMarketStore } from './store.ts';

const day = fc.integer({ min: 0, max: 60 }).map((after) => addDays('2020-01-01', after));
const days = fc.uniqueArray(day, { minLength: 1, maxLength: 40 }).map((dates) => dates.toSorted());
const bar = (date: string): SourceBar => ({
  date,
  open: 1,
  high: 3,
  low: 0.5,
  close: Number(date.slice(-2)),
  volume: 10,
  ...(date.endsWith('7') ? { columns: { score: 7 } } : {}),
});
const ticker = fc.record({
  bars: days.map((dates) => dates.map(bar)),
  splits: days.map((dates) => dates.slice(0, 2).map((date) => ({ date, ratio: '2/1' }))),
  dividends: days.map((dates) => dates.slice(0, 3).map((date) => ({ date, amount: 0.5 }))),
});
const series = fc
  .array(fc.record({ date: day, known: day, value: fc.integer() }), { maxLength: 5 })
  .map((values) => [{ name: 'rate', values }]);
const leaveOut = (name: string) => name === 'C';
const universe = fc.constantFrom([], [{ ticker: 'A', from: '2020-01-05', to: '2020-02-01' }]);

test('sessions of bars in memory are those of the same bars in a database', () => {
  fc.assert(
    fc.property(
      fc.record({ A: ticker, B: ticker, C: ticker }),
      fc.record({ series, universe }),
      fc.tuple(
        day,
        day,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(undefined, 'B'),
        fc.constantFrom(0, 1_000),
      ),
      (tickers, beside, [after, upTo, limit, only, mostKept]) => {
        const store = openMarketStore(':memory:');
        store.putBeside(beside);
        store.extend(new Map(Object.entries(tickers)), '9999-12-31');
        const inMemory = barsInMemory(
          new Map(
            Object.entries(tickers).map(([name, data]) => [
              name,
              { ...data, bars: columnsOf(data.bars, ['score']) },
            ]),
          ),
          beside,
          mostKept,
        );
        for (const span of [
          { after: '2019-12-31', upTo: '2020-12-31', limit: 1_000, only },
          { after, upTo, limit, only },
        ]) {
          const stored = store.read((bars) =>
            readSessions({ ...bars, tickers: () => Object.keys(tickers) }, span, leaveOut),
          );
          expect(readSessions({ ...inMemory, tickers: () => Object.keys(tickers) }, span, leaveOut)).toEqual(
            stored,
          );
        }
        store.close();
      },
    ),
    { numRuns: 100 },
  );
});

test('tables share their dates where nothing is cut', () => {
  const bars = columnsOf(['2020-01-02', '2020-01-03'].map(bar));
  const data = { bars, splits: [], dividends: [] };
  expect(until(data, '2020-01-03').bars.dates).toBe(bars.dates);
  expect(until(data, '2020-01-02').bars.dates).toEqual(['2020-01-02']);
});
