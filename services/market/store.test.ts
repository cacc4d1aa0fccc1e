import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import type { SourceBar } from './sources/source.ts';
import { openMarketStore, type MarketStore } from './store.ts';

let folder: string;
let store: MarketStore;
const file = () => join(folder, 'data', 'market.db');

beforeEach(() => {
  folder = temporaryFolder();
  store = openMarketStore(file());
});
afterEach(() => {
  store.close();
});

const bar = (day: number, close: number): SourceBar => {
  const date = `2024-01-${String(day).padStart(2, '0')}`;
  return { date, open: close, high: close, low: close, close, volume: 100 };
};
const of = (updateId: string, complete = false) => ({
  updateId,
  at: '2024-02-01T00:00:00.000Z',
  complete,
  warnings: [],
});
const put = (ticker: string, bars: SourceBar[], updateId = 'u', complete = false) =>
  store.update(ticker, { bars, splits: [], dividends: [] }, of(updateId, complete));
const closes = (ticker: string, ...range: [number, string?, string?]) =>
  store.read((bars) => bars.of(ticker, ...range)).map(({ close }) => close);
const columns = (ticker: string) => store.read((bars) => bars.of(ticker, 9)).map((one) => one.columns);

describe('the market store', () => {
  it('adds what is new, replaces what differs, and says how many', () => {
    expect(put('A', [bar(2, 10), bar(3, 11)])).toMatchObject({
      bars: 2,
      first: '2024-01-02',
      last: '2024-01-03',
    });
    expect(put('A', [bar(2, 10), bar(3, 11)])).toMatchObject({ bars: 0 });
    expect(put('A', [bar(3, 12), bar(4, 13)])).toMatchObject({
      bars: 2,
      first: '2024-01-02',
      last: '2024-01-04',
    });
    expect(closes('A', 9)).toEqual([10, 12, 13]);
  });

  it('keeps what further columns say of a day, and replaces it where it differs', () => {
    const said = (mood: number): SourceBar => ({ ...bar(2, 10), columns: { mood } });
    put('A', [said(-1), bar(3, 11)]);
    expect(columns('A')).toEqual([{ mood: -1 }, undefined]);
    expect(put('A', [said(-1)])).toMatchObject({ bars: 0 });
    expect(put('A', [said(2)])).toMatchObject({ bars: 1 });
    expect(put('A', [bar(2, 10)])).toMatchObject({ bars: 1 });
    expect(columns('A')).toEqual([undefined, undefined]);
  });

  it('takes over the bars of a version that had no further columns, no series and no universe', () => {
    put('A', [bar(2, 10)]);
    store.close();
    const db = new DatabaseSync(file());
    db.exec(
      'ALTER TABLE bars DROP COLUMN columns; DROP TABLE series; DROP TABLE universe; PRAGMA user_version = 1',
    );
    db.close();
    store = openMarketStore(file());
    expect(closes('A', 9)).toEqual([10]);
    store.putBeside({
      series: [{ name: 'rate', values: [] }],
      universe: [{ ticker: 'A', from: '2024-01-02', to: null }],
    });
    put('A', [{ ...bar(3, 11), columns: { mood: 1 } }]);
    expect(columns('A')).toEqual([undefined, { mood: 1 }]);
  });

  it('counts splits and dividends as it counts bars', () => {
    const data = {
      bars: [bar(2, 10)],
      splits: [{ date: '2024-01-02', ratio: '2/1' }],
      dividends: [{ date: '2024-01-02', amount: 0.5 }],
    };
    expect(store.update('A', data, of('u'))).toMatchObject({ splits: 1, dividends: 1 });
    expect(store.update('A', data, of('u'))).toMatchObject({ splits: 0, dividends: 0 });
    const changed = { ...data, splits: [{ date: '2024-01-02', ratio: '3/1' }] };
    expect(store.update('A', changed, of('u'))).toMatchObject({ splits: 1, dividends: 0 });
    expect(store.read((bars) => bars.splitsOf('A'))).toMatchObject([{ ratio: '3/1' }]);
  });

  it('drops what a complete source no longer has, of that ticker alone', () => {
    put('A', [bar(2, 10), bar(3, 11), bar(4, 12)]);
    put('B', [bar(3, 20)]);
    expect(put('A', [bar(2, 10), bar(4, 12)], 'u', true)).toMatchObject({ bars: 0 });
    expect(closes('A', 9)).toEqual([10, 12]);
    expect(closes('B', 9)).toEqual([20]);
  });

  it('stores all of a ticker or nothing', () => {
    const broken = { ...bar(3, 11), volume: null as unknown as number };
    expect(() => put('A', [bar(2, 10), broken])).toThrow(/NOT NULL/u);
    expect(closes('A', 9)).toEqual([]);
    expect(store.state('A')).toBeNull();
  });

  it('reads the newest bars up to a date and before another', () => {
    put('A', [bar(2, 10), bar(3, 11), bar(4, 12), bar(5, 13)]);
    put('B', [bar(3, 20)]);
    expect(closes('A', 2)).toEqual([12, 13]);
    expect(closes('A', 2, '2024-01-04')).toEqual([11, 12]);
    expect(closes('A', 2, '2024-01-09', '2024-01-05')).toEqual([11, 12]);
    expect(closes('A', 9, '2024-01-09', '2024-01-03')).toEqual([10]);
    expect(closes('A', 9, '2024-01-01')).toEqual([]);
  });

  it('keeps what an update did to a ticker, and its bars through a failed one', () => {
    const outcome = put('A', [bar(2, 10)], 'u1');
    expect(store.state('A')).toEqual({
      ticker: 'A',
      bars: 1,
      first: '2024-01-02',
      last: '2024-01-02',
      update_id: 'u1',
      fetched_at: '2024-02-01T00:00:00.000Z',
      outcome,
    });
    store.fail('A', ['A.csv:1: bad'], of('u2'));
    expect(store.state('A')).toMatchObject({
      bars: 1,
      update_id: 'u2',
      outcome: { faults: ['A.csv:1: bad'] },
    });
    store.fail('B', ['B.csv: is not there'], of('u2'));
    expect(store.tickers().listed.map(({ ticker, bars }) => [ticker, bars])).toEqual([
      ['A', 1],
      ['B', 0],
    ]);
  });

  it('keeps the first hundred warnings and counts all', () => {
    const warnings = Array.from({ length: 150 }, () => ({
      date: '2024-01-02',
      kind: 'gap' as const,
      detail: 'x',
    }));
    const outcome = store.update(
      'A',
      { bars: [bar(2, 10)], splits: [], dividends: [] },
      { ...of('u'), warnings },
    );
    expect(outcome).toMatchObject({ warnings_total: 150, warnings: { length: 100 } });
  });

  it('is there again after a restart, for its owner alone', () => {
    put('A', [bar(2, 10)]);
    store.setNotes({ source: 'csv', update: 'u' });
    store.setNotes({ update: null });
    store.close();
    store = openMarketStore(file());
    expect(closes('A', 9)).toEqual([10]);
    expect([store.note('source'), store.note('update')]).toEqual(['csv', null]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    store.begin('csv');
    expect(closes('A', 9)).toEqual([10]);
    store.begin('demo');
    expect([closes('A', 9), store.tickers().listed, store.note('source')]).toEqual([[], [], 'demo']);
  });

  it('begins anew where another version of the program made other tables', () => {
    put('A', [bar(2, 10)]);
    store.close();
    const db = new DatabaseSync(file());
    db.exec('DROP TABLE bars; CREATE TABLE bars (other TEXT); PRAGMA user_version = 77');
    db.close();
    store = openMarketStore(file());
    expect(closes('A', 9)).toEqual([]);
    expect(put('A', [bar(2, 10)])).toMatchObject({ bars: 1 });
  });

  it('begins anew where its file is damaged, and keeps that aside', () => {
    const other = join(folder, 'other.db');
    writeFileSync(other, 'not a database'.repeat(100));
    const damaged: unknown[] = [];
    store = openMarketStore(other, (error) => damaged.push(error));
    expect(damaged).toHaveLength(1);
    expect(put('A', [bar(2, 10)])).toMatchObject({ bars: 1 });
    expect(readFileSync(`${other}.damaged`, 'utf8')).toContain('not a database');
  });

  it('is missed, to be loaded anew, where a page of its file is damaged while it is in use', () => {
    put('A', [bar(2, 10)]);
    store.close();
    const bytes = readFileSync(file());
    writeFileSync(file(), bytes.fill(0xff, 4096));
    store = openMarketStore(file());
    expect(() => closes('A', 9)).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) as Error);
    expect(store.isInPlace).toBe(false);
    store.close();
    store = openMarketStore(file());
    expect(closes('A', 9)).toEqual([]);
  });

  it('is unavailable where its file cannot be made', () => {
    const other = join(folder, 'other.db');
    writeFileSync(other, '');
    expect(() => openMarketStore(join(other, 'below.db'))).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) as Error,
    );
  });
});
