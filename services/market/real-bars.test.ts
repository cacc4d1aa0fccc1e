import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { splitAdjusted } from './adjust-prices.ts';
import { FIRST_DATE, LAST_DATE } from './bar-tables.ts';
import { csvSource } from './sources/csv-folder.ts';
import { importTicker } from './import-ticker.ts';
import { readSessions } from './sessions.ts';
import { openMarketStore, type MarketStore } from './store.ts';

const MARKET = join(import.meta.dirname, '../../../shared/market');
const NAMES = ['lean_raw', 'lean_splitadj'] as const;

/** Both folders of tables run through the pipeline, each with the same actions beside its tables. */
describe.skipIf(!existsSync(MARKET))('real bars (../shared/market; skipped where it is missing)', () => {
  const folder = sharedFolder();
  let tickers: string[];
  const stores = {} as Record<(typeof NAMES)[number], MarketStore>;

  beforeAll(async () => {
    const actions = JSON.parse(readFileSync(join(MARKET, 'actions/lean_actions.json'), 'utf8')) as object;
    for (const name of NAMES) {
      const tables = join(folder, name);
      cpSync(join(MARKET, name), tables, { recursive: true });
      const prices = name === 'lean_raw' ? 'as-traded' : 'split-adjusted';
      writeFileSync(join(tables, 'actions.json'), JSON.stringify({ ...actions, prices }));
      const source = csvSource({ folder: tables });
      const store = (stores[name] = openMarketStore(join(folder, `${name}.db`)));
      tickers = [...(await source.tickers())];
      for (const ticker of tickers) {
        const { signal } = new AbortController();
        const request = { ticker, updateId: 'u', full: true };
        const result = await importTicker({ store, source, now: () => new Date(0) }, request, signal);
        expect(result).toMatchObject({ status: 'updated' });
      }
    }
  });

  afterAll(() => {
    for (const store of Object.values(stores)) store.close();
  });

  const barsOf = (name: (typeof NAMES)[number], ticker: string) =>
    stores[name].read((bars) => bars.of(ticker, 10_000));

  it('are all stored', () => {
    for (const name of NAMES) {
      const states = stores[name].tickers().listed;
      expect(states.reduce((sum, { bars }) => sum + bars, 0)).toBe(63_314);
    }
  });

  it.each(['as traded', 'split-adjusted'])('are the same %s, whichever way the folder has them', (view) => {
    let worst = 0;
    for (const ticker of tickers) {
      const [ours, theirs] = NAMES.map((name) => {
        const splits = stores[name].read((bars) => bars.splitsOf(ticker));
        return view === 'as traded' ? barsOf(name, ticker) : splitAdjusted(barsOf(name, ticker), splits);
      });
      expect(theirs!.map(({ date }) => date)).toEqual(ours!.map(({ date }) => date));
      for (const [at, { close }] of ours!.entries()) {
        worst = Math.max(worst, Math.abs(theirs![at]!.close / close - 1));
      }
    }
    // The prices in this folder have 6 decimals: AAPL's 13.69 in 1998 is 0.122232, adjusted to today.
    expect(worst).toBeLessThan(1.5e-5);
  });

  it('make sessions with every bar, split and dividend in them once', () => {
    const sessions = stores.lean_raw.read((bars) =>
      readSessions(bars, { after: FIRST_DATE, upTo: LAST_DATE, limit: 100_000 }),
    );
    expect(sessions).toHaveLength(5_849);
    const count = (of: (session: (typeof sessions)[number]) => object) =>
      sessions.reduce((sum, session) => sum + Object.keys(of(session)).length, 0);
    expect(count((session) => session.bars)).toBe(63_314);
    expect(count((session) => session.splits)).toBe(18);
    const actions = JSON.parse(readFileSync(join(MARKET, 'actions/lean_actions.json'), 'utf8')) as {
      tickers: Record<string, { dividends: object }>;
    };
    const dividends = Object.values(actions.tickers).reduce(
      (sum, ticker) => sum + Object.keys(ticker.dividends).length,
      0,
    );
    expect(count((session) => session.dividends)).toBe(dividends);
    expect(sessions.find(({ date }) => date === '2014-06-09')).toMatchObject({ splits: { AAPL: '7/1' } });
  });
});
