import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { csvSource } from './csv-folder.ts';

let folder: string;
let cache: string;
beforeEach(() => {
  folder = temporaryFolder();
  cache = join(temporaryFolder(), 'tables');
  write('A', 10, 11);
  write('B', 20, 21);
});

function write(ticker: string, ...closes: number[]): void {
  const rows = closes.map(
    (close, at) =>
      `2020-01-0${at + 2},${close},${close},${close},${close},${close / 2},100,${at === 0 ? '' : 7}`,
  );
  writeFileSync(
    join(folder, `${ticker}.csv`),
    ['date,open,high,low,close,adj_close,volume,score', ...rows, ''].join('\n'),
  );
}

const { signal } = new AbortController();
/** Reads the folder as a start does. */
async function read(kept: string | null = cache) {
  const source = csvSource(kept === null ? { folder } : { folder, cache: kept });
  const tickers = await source.tickers();
  return Promise.all(tickers.map(async (ticker) => source.columns!(ticker, signal)));
}
const files = () => readdirSync(cache).toSorted();
const contents = () => files().map((file) => readFileSync(join(cache, file), 'base64'));
/** The file of a ticker. */
const fileOf = (ticker: string): string =>
  join(
    cache,
    files().find((file) => readFileSync(join(cache, file)).includes(`/${ticker}.csv"`))!,
  );

/** Changes a figure in a file, so that one who trusts it reads another one. */
function forge(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(file, bytes);
}

test('a table whose content is known is the same as if it were read', async () => {
  const first = await read();
  expect(files()).toHaveLength(2);
  const kept = contents();
  expect(await read()).toEqual(first);
  expect(first).toEqual(await read(null));
  expect(first[0]!.bars.further.get('score')).toEqual(Float64Array.from([Number.NaN, 7]));
  expect(contents()).toEqual(kept);
});

test('what is kept is not written again', async () => {
  await read();
  const before = files().map((file) => statSync(join(cache, file)).ino);
  await read();
  expect(files().map((file) => statSync(join(cache, file)).ino)).toEqual(before);
});

test('only the owner can read it', async () => {
  await read();
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(files().map((file) => statSync(join(cache, file)).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('a table with other content is read again, even with the same size and time', async () => {
  await read();
  const { atime, mtime } = statSync(join(folder, 'A.csv'));
  write('A', 12, 13);
  utimesSync(join(folder, 'A.csv'), atime, mtime);
  expect((await read())[0]!.bars.close).toEqual(Float64Array.from([12, 13]));
});

test('a table is read again where actions.json says something else of it', async () => {
  await read();
  const stated = { prices: 'as-traded', tickers: { A: { dividends: { '2020-01-03': 1 } } } };
  writeFileSync(join(folder, 'actions.json'), JSON.stringify(stated));
  expect((await read())[0]!.dividends).toEqual([{ date: '2020-01-03', amount: 1 }]);
});

test.each([
  ['damaged', forge],
  ['cut short', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 700))],
  ['empty', (file: string) => writeFileSync(file, '')],
  ['of somebody else', (file: string) => writeFileSync(file, 'Dear diary\n'.repeat(100))],
  ['of another table', (file: string) => writeFileSync(file, readFileSync(fileOf('B')))],
  [
    'of another format',
    (file: string) =>
      writeFileSync(
        file,
        readFileSync(file).toString('latin1').replace('beleg columns 1', 'beleg columns 0'),
        'latin1',
      ),
  ],
])('a file that is %s is made anew', async (_, spoil) => {
  const first = await read();
  const kept = contents();
  spoil(fileOf('A'));
  expect(await read()).toEqual(first);
  expect(contents()).toEqual(kept);
});

test('what leaves the folder leaves the cache at the next start', async () => {
  await read();
  rmSync(join(folder, 'B.csv'));
  await read();
  expect(files()).toHaveLength(1);
  expect(contents().join('')).not.toContain('B.csv');
});

test('what a table had before leaves the cache at the next start, whether or not that ticker is read', async () => {
  await read();
  write('B', 30, 31, 32);
  await csvSource({ folder, cache }).tickers();
  expect(files()).toHaveLength(1);
});

test('files with other names are left alone, and half-written ones are removed', async () => {
  await read();
  const part = `${files()[0]}.5f0c1c52-98c5-4d9b-9f0e-0d7c2f6f1b11.part`;
  writeFileSync(join(cache, part), 'half');
  writeFileSync(join(cache, 'notes.txt'), 'mine');
  await read();
  expect(files()).toContain('notes.txt');
  expect(files()).not.toContain(part);
});

test('tables are read where nothing can be kept', async () => {
  writeFileSync(cache, 'a file');
  expect(await read()).toEqual(await read(null));
  rmSync(cache);
  mkdirSync(cache, { mode: 0o500 });
  expect(await read()).toEqual(await read(null));
});
