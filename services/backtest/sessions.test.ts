import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dateOf, DAY_MS } from '../../events/dates.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { dataNotes, isLeftOut, loadSessions, pointsOf } from './sessions.ts';

const weekdays = (from: string, to: string, open: (weekday: number) => boolean): string[] => {
  const found: string[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    if (open(new Date(time).getUTCDay())) found.push(dateOf(time));
  }
  return found;
};
const [FROM, TO] = ['2020-01-01', '2023-12-31'];
const SHARE = weekdays(FROM, TO, (day) => day % 6 !== 0);
const COIN = weekdays(FROM, TO, () => true);
const SUNDAYS = weekdays(FROM, TO, (day) => day < 5);
const WEEKLY = weekdays(FROM, TO, (day) => day === 5);
const MIDWEEK = weekdays(FROM, TO, (day) => day === 3);
const MONTHLY = SHARE.filter((date, at) => date.slice(0, 7) !== SHARE[at + 1]?.slice(0, 7));
const THIN = SHARE.filter((_, at) => at % 5 < 3);
const HOLE = MONTHLY.filter((date) => date < '2021-03-01' || date > '2021-08-01');

async function rhythmWith(tables: Record<string, string[]>, traded: string, from: string | null = null) {
  const folder = temporaryFolder();
  for (const [ticker, dates] of Object.entries(tables)) {
    const rows = dates.map((date) => `${date},10,11,9,10,10,1000`);
    await writeFile(
      join(folder, `${ticker}.csv`),
      ['date,open,high,low,close,adj_close,volume', ...rows, ''].join('\n'),
    );
  }
  const { market } = readSettings({
    DATA_DIR: join(folder, 'data'),
    TD_SOURCE: `csv:${folder}`,
    TD_TICKERS: traded,
    TD_INDEX: 'IDX',
  });
  const options = { to: null, now: () => new Date(), onTicker: () => undefined };
  const { sessions } = await loadSessions(market, options);
  const { rhythm, notes } = pointsOf(sessions, from);
  return [rhythm.perYear, notes.length] as const;
}

test.each([
  ['a share with a coin as index', { A: SHARE, IDX: COIN }, 'A', 365, 1],
  ['a monthly fund with a daily index', { A: MONTHLY, IDX: SHARE }, 'A', 252, 1],
  ['a week from Sunday beside one from Monday', { A: SHARE, B: SUNDAYS }, 'A,B', 313, 1],
  ['weeks that end on a Wednesday and on a Friday', { A: WEEKLY, B: MIDWEEK }, 'A,B', 104, 1],
  ['a share that trades on three days of five', { A: THIN }, 'A', 157, 0],
  ['a monthly fund with a hole, in which days pass', { A: HOLE }, 'A', 44, 1],
  ['a share', { A: SHARE }, 'A', 252, 0],
  ['a share with a share as index', { A: SHARE, IDX: SHARE }, 'A', 252, 0],
  ['a coin', { A: COIN }, 'A', 365, 0],
  ['a weekly table', { A: WEEKLY }, 'A', 52, 0],
  ['a monthly table', { A: MONTHLY }, 'A', 12, 0],
])('the account has as many values a year: %s', async (_, tables, traded, perYear, notes) => {
  expect(await rhythmWith(tables, traded)).toEqual([perYear, notes]);
});

test('an index that is named and has no bars is said', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'A.csv'), 'date,open,high,low,close,volume\n2020-01-02,10,11,9,10,1000\n');
  const notesWith = async (index: string) => {
    const { market } = readSettings({
      DATA_DIR: join(folder, 'data'),
      TD_SOURCE: `csv:${folder}`,
      TD_INDEX: index,
    });
    const options = { to: null, now: () => new Date(), onTicker: () => undefined };
    return (await loadSessions(market, options)).notes.filter((note) => note.startsWith('TD_INDEX'));
  };
  expect(await notesWith('NOPE')).toEqual([
    'TD_INDEX: the market data has no bars of NOPE, so nothing is compared with it',
  ]);
  expect(await notesWith('A')).toEqual([]);
});

test('those before the first day that is tested do not count', async () => {
  const coin = COIN.filter((date) => date >= '2022-01-01');
  const tables = { A: SHARE, B: coin };
  expect(await rhythmWith(tables, 'A,B', '2022-01-01')).toEqual([365, 1]);
  expect(await rhythmWith({ A: MONTHLY }, 'A', '2023-11-01')).toEqual([12, 0]);
});

test('what concerns the test is said, impossible prices first, what concerns earlier days apart, and what is left out', async () => {
  const folder = temporaryFolder();
  const head = 'date,open,high,low,close,volume,sector';
  const rows = [
    head,
    '2020-01-02,10,9,12,10,1000,tech',
    '2020-01-03,10,11,9,10,0,tech',
    '2020-01-06,10,9,12,10,1000,tech',
    '2020-01-07,10,11,9,10,0,tech',
    '',
  ];
  await writeFile(join(folder, 'ODD.csv'), rows.join('\n'));
  await writeFile(join(folder, 'BAD.csv'), `${head}\n2020-01-02,10,eleven,9,10,1,x\n`);
  const { market } = readSettings({ DATA_DIR: join(folder, 'data'), TD_SOURCE: `csv:${folder}` });
  const options = { to: null, now: () => new Date(), onTicker: () => undefined };
  const loaded = await loadSessions(market, options);
  const { notes, earlier } = dataNotes(loaded, '2020-01-06');
  expect(notes).toEqual([
    'IMPOSSIBLE PRICES, used as they are: ODD: 2020-01-06 (high 9 below low 12)',
    expect.stringMatching(/^LEFT OUT: BAD\.csv:2: .*; all bars of BAD are left out$/),
    'ODD.csv: strategies are not shown what has not only figures: "sector"',
    expect.stringMatching(/^ODD\.csv: no dividends are known/),
    'ODD: days without volume, on which no order is filled unless TD_VOLUME_LIMIT is 0: 2020-01-07 (no shares were traded)',
  ]);
  expect(earlier).toEqual([
    'ODD: impossible prices: 2020-01-02 (high 9 below low 12)',
    'ODD: days without volume, on which no order is filled unless TD_VOLUME_LIMIT is 0: 2020-01-03 (no shares were traded)',
  ]);
  expect(dataNotes(loaded, null).earlier).toEqual([]);
});

test('a row that cannot be read is left out and said so, and its ticker stays', async () => {
  const folder = temporaryFolder();
  const rows = Array.from({ length: 120 }, (_, n) => {
    const date = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
    return `${date},10,11,9,${n === 50 ? 'ten' : 10},1000`;
  });
  await writeFile(join(folder, 'AAA.csv'), ['date,open,high,low,close,volume', ...rows, ''].join('\n'));
  const { market } = readSettings({ DATA_DIR: join(folder, 'data'), TD_SOURCE: `csv:${folder}` });
  const options = { to: null, now: () => new Date(), onTicker: () => undefined };
  const { sessions, notes } = await loadSessions(market, options);
  expect(sessions).toHaveLength(119);
  expect(notes.filter(isLeftOut)).toEqual([
    'AAA.csv: 1 row left out that cannot be read: close "ten" is not a number (the first in line 52)',
  ]);
});

test('a folder without tables is said in plain words', async () => {
  const folder = temporaryFolder();
  const { market } = readSettings({ DATA_DIR: join(folder, 'data'), TD_SOURCE: `csv:${folder}` });
  const options = { to: null, now: () => new Date(), onTicker: () => undefined };
  await expect(loadSessions(market, options)).rejects.toThrow(
    /^the folder of TD_SOURCE has no file like AAPL\.csv$/,
  );
});
