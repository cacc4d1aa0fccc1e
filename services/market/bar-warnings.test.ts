import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseActions } from './sources/actions-file.ts';
import { csvSource } from './sources/csv-folder.ts';
import type { SourceBar } from './sources/source.ts';
import { columnsOf } from './bar-columns.ts';
import { findWarnings, warningNotes } from './bar-warnings.ts';

const bar = (date: string, close: number, more: Partial<SourceBar> = {}): SourceBar => ({
  date,
  open: close,
  high: close,
  low: close,
  close,
  volume: 100,
  ...more,
});
const kinds = (bars: SourceBar[], splits = [] as { date: string; ratio: string }[]) =>
  findWarnings(columnsOf(bars), splits, []).map(({ date, kind }) => `${date} ${kind}`);

describe('warnings of bars', () => {
  it('are none for ordinary bars, over a weekend and the longest holidays', () => {
    expect(kinds([bar('2001-09-10', 10), bar('2001-09-17', 9), bar('2001-09-18', 9)])).toEqual([]);
    expect(kinds([bar('2020-12-24', 10), bar('2021-01-04', 10)]), 'six weekdays').toEqual(['2021-01-04 gap']);
    expect(kinds([bar('2020-12-25', 10), bar('2021-01-04', 10)]), 'five weekdays').toEqual([]);
  });

  it('count weekdays before 1970 too, and over years', () => {
    expect(kinds([bar('1969-12-24', 10), bar('1970-01-02', 10)])).toEqual(['1970-01-02 gap']);
    expect(kinds([bar('1969-12-26', 10), bar('1970-01-05', 10)])).toEqual([]);
    expect(findWarnings(columnsOf([bar('2004-11-30', 10), bar('2011-03-23', 10)]), [], [])).toEqual([
      { date: '2011-03-23', kind: 'gap', detail: '1645 weekdays since 2004-11-30' },
    ]);
  });

  it('are put in words, a line each kind', () => {
    const days = ['02', '03', '06', '07'].map((day) => bar(`2020-01-${day}`, 10, { high: 8, low: 9 }));
    const told = { date: '2020-03-02', kind: 'adjusted', detail: 'A.csv: 2 dividends are taken' };
    expect(
      warningNotes('A', [...findWarnings(columnsOf([...days, bar('2020-03-02', 30)]), [], []), told]),
    ).toEqual([
      'A.csv: 2 dividends are taken',
      'A: impossible prices: 2020-01-02 (high 8 below low 9), 2020-01-03 (high 8 below low 9), 2020-01-06 (high 8 below low 9) and 1 more',
      'A: several days in a row without bars: 2020-03-02 (38 weekdays since 2020-01-07)',
      'A: jump between two closes: 2020-03-02 (log return 1.099 since 2020-01-07)',
    ]);
  });

  it('name days without volume', () => {
    expect(kinds([bar('2020-01-02', 10, { volume: 0 })])).toEqual(['2020-01-02 zero-volume']);
  });

  it('name prices that do not fit each other', () => {
    expect(kinds([bar('2020-01-02', 10, { high: 9, low: 11 })])).toEqual(['2020-01-02 high-low']);
    expect(kinds([bar('2020-01-02', 10, { high: 9.99, low: 9 })])).toEqual(['2020-01-02 high-low']);
    expect(kinds([bar('2020-01-02', 10, { open: 8.9, low: 9 })])).toEqual(['2020-01-02 high-low']);
    expect(kinds([bar('2020-01-02', 10, { low: 6 })])).toEqual(['2020-01-02 range']);
  });

  it('name jumps that no split explains', () => {
    const bars = [bar('2020-01-02', 100), bar('2020-01-03', 50)];
    expect(kinds(bars)).toEqual(['2020-01-03 jump']);
    expect(kinds(bars, [{ date: '2020-01-03', ratio: '2/1' }])).toEqual([]);
    expect(kinds(bars, [{ date: '2020-01-03', ratio: '1/2' }])).toEqual(['2020-01-03 jump']);
  });

  it('name dividends that cannot be true', () => {
    expect(
      findWarnings(columnsOf([bar('2020-01-03', 10)]), [], [{ date: '2020-01-03', amount: 1 }]),
    ).toMatchObject([{ date: '2020-01-03', kind: 'dividend' }]);
  });
});

const MARKET = join(import.meta.dirname, '../../../shared/market');

async function warningsOf(ticker: string) {
  const source = csvSource({ folder: join(MARKET, 'lean_raw') });
  const { bars } = await source.fetch(ticker, null, new AbortController().signal);
  const actions = parseActions(readFileSync(join(MARKET, 'actions/lean_actions.json'), 'utf8')).of(ticker)!;
  return findWarnings(columnsOf(bars), actions.splits, actions.dividends);
}

describe.skipIf(!existsSync(MARKET))('real bars (../shared/market; skipped where it is missing)', () => {
  it('has the years that QQQ lacks', async () => {
    expect(await warningsOf('QQQ')).toMatchObject([{ date: '2011-03-23', kind: 'gap' }]);
  });

  it('has the days on which nobody traded BNO', async () => {
    const warnings = await warningsOf('BNO');
    expect(warnings.filter(({ kind }) => kind === 'zero-volume')).toHaveLength(26);
    expect(warnings).toHaveLength(26);
  });

  it('has the famous trades of GOOGL at a cent', async () => {
    expect(await warningsOf('GOOGL')).toContainEqual({
      date: '2008-09-30',
      kind: 'range',
      detail: 'from 0.01 to 489.36 on one day',
    });
  });

  it('has crashes, and splits are none', async () => {
    expect((await warningsOf('AAPL')).filter(({ kind }) => kind === 'jump')).toEqual([
      { date: '2000-09-29', kind: 'jump', detail: 'log return -0.727 since 2000-09-28' },
    ]);
    expect(await warningsOf('USO')).toEqual([]);
  });
});
