import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { csvSource } from './csv-folder.ts';
import { besideBars } from './source.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const put = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
const table = (ticker: string): void =>
  put(`${ticker}.csv`, 'date,open,high,low,close', '2024-01-02,1,1,1,1');
const found = async () => besideBars(csvSource({ folder }));

test('the universe says from when to when a ticker may be bought, and is no table', async () => {
  for (const ticker of ['A', 'B']) table(ticker);
  put('universe.csv', 'Ticker,From,To', 'b,2020-01-02,2021-06-30', '', 'A,2020-01-02,', 'B,2022-01-03');
  expect(await found()).toEqual({
    series: [],
    universe: [
      { ticker: 'B', from: '2020-01-02', to: '2021-06-30' },
      { ticker: 'A', from: '2020-01-02', to: null },
      { ticker: 'B', from: '2022-01-03', to: null },
    ],
    leftOut: [],
  });
  expect(await csvSource({ folder }).tickers()).toEqual(['A', 'B']);
});

test('dates are read as tables write them', async () => {
  table('A');
  put('universe.csv', 'symbol;von;bis', 'A;31.01.2020;30.06.2021');
  expect((await found()).universe).toEqual([{ ticker: 'A', from: '2020-01-31', to: '2021-06-30' }]);
});

test('without the file there is no universe', async () => {
  table('A');
  expect((await found()).universe).toEqual([]);
});

test('what has no table is named', async () => {
  table('A');
  const names = Array.from({ length: 51 }, (_, n) => `T${String(n).padStart(2, '0')}`);
  const gone = names.toReversed().map((ticker) => `${ticker},2020-01-02,2021-01-04`);
  put('universe.csv', 'ticker,from,to', 'A,2020-01-02,', ...gone);
  expect((await found()).leftOut).toEqual([
    `universe.csv: there is no table of ${names.slice(0, 50).join(', ')} and 1 more, so nothing can be bought of it`,
  ]);
});

test.each([
  [['ticker,from', 'A,2020-01-02'], 'line 1: there is no column to; it must have ticker,from,to'],
  [['ticker,from,to'], 'it names no ticker: remove it if everything may be bought'],
  [['ticker,from,to', '', 'A,2020-13-02,'], 'line 3: 2020-13-02 is not a valid date'],
  [['ticker,from,to', 'A,,'], 'line 2: it does not say from when on A may be bought'],
  [['ticker,from,to', 'A B!,2020-01-02,'], 'line 2: "A B!" is no ticker'],
  [['ticker,from,to', 'A,2020-01-02,soon'], 'line 2: "soon" is not a date like 2020-01-31'],
  [['ticker,from,to', 'A,2020-01-02,2019-01-02'], 'line 2: A ends on 2019-01-02, before 2020-01-02'],
  [
    ['ticker,from,to', 'A,2020-01-02,2020-03-02', 'B,2020-01-02,', 'A,2020-03-02,'],
    'line 4: A may be bought then by line 2 already',
  ],
])('a file that cannot be read is an error that names the line: %j', async (lines, message) => {
  table('A');
  put('universe.csv', ...lines);
  await expect(found()).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    detail: `universe.csv: ${message}`,
  });
});

test('a changed universe is a new version of the folder', async () => {
  table('A');
  const before = await csvSource({ folder }).version!();
  put('universe.csv', 'ticker,from,to', 'A,2020-01-02,');
  expect(await csvSource({ folder }).version!()).not.toBe(before);
});
