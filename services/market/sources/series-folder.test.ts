import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { csvSource } from './csv-folder.ts';
import { besideBars } from './source.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'series'));
});

const put = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(folder, 'series', name), `${lines.join('\n')}\n`);
const series = async () => (await besideBars(csvSource({ folder }))).series;
const leftOut = async () => (await besideBars(csvSource({ folder }))).leftOut;

test('a series has a value for each date, known from then on or from the day that is said', async () => {
  put('rate.csv', 'Date,Value', '2024-01-02,-0.5', '2024-01-03,', '2024-01-04,0.25');
  put('bip.csv', 'known;datum;BIP', '30.01.2024;31.12.2023;1.234,5', ';31.03.2024;2,0');
  expect(await series()).toEqual([
    {
      name: 'bip',
      values: [
        { date: '2023-12-31', known: '2024-01-30', value: 1234.5 },
        { date: '2024-03-31', known: '2024-03-31', value: 2 },
      ],
    },
    {
      name: 'rate',
      values: [
        { date: '2024-01-02', known: '2024-01-02', value: -0.5 },
        { date: '2024-01-04', known: '2024-01-04', value: 0.25 },
      ],
    },
  ]);
  expect(await leftOut()).toEqual([]);
});

test('what cannot be read is left out with its reason, and the others are read', async () => {
  put('good.csv', 'date,value', '2024-01-02,1');
  put('a b.csv', 'date,value', '2024-01-02,1');
  put('early.csv', 'date,known,value', '2024-01-05,2024-01-02,1');
  put('two.csv', 'date,a,b', '2024-01-02,1,2');
  put('words.csv', 'date,value', '2024-01-02,calm');
  put('nodate.csv', 'when,value', '2024-01-02,1');
  put('bad.csv', 'date,value', '2024-13-02,1');
  expect((await series()).map(({ name }) => name)).toEqual(['good']);
  expect(await leftOut()).toEqual([
    'series/a b.csv: name it with letters, digits, - and _ only, like vix.csv',
    'series/bad.csv: line 2: 2024-13-02 is not a valid date',
    'series/early.csv: line 2: its value of 2024-01-05 cannot have been known on 2024-01-02',
    'series/nodate.csv: there is no column date',
    'series/two.csv: there must be one column of figures beside date and known',
    'series/words.csv: the column value has more than figures, or none',
  ]);
});

test('a changed series is a new version of the folder', async () => {
  writeFileSync(join(folder, 'A.csv'), 'date,open,high,low,close\n2024-01-02,1,1,1,1\n');
  const before = await csvSource({ folder }).version!();
  put('rate.csv', 'date,value', '2024-01-02,1');
  expect(await csvSource({ folder }).version!()).not.toBe(before);
});
