import { beforeEach, describe, expect, it } from 'vitest';
import { pipelineStatus } from './update-status.ts';
import type { BarSource } from './sources/source.ts';
import { readSettings } from '../composition/settings.ts';
import { openMarketStore, type MarketStore } from './store.ts';

const settings = readSettings({ TD_SOURCE: 'yahoo', TD_TICKERS: 'A,B', DATA_DIR: '/var/lib/beleg' }).market;
const source = { name: 'yahoo', synthetic: false } as BarSource;

let store: MarketStore;
beforeEach(() => {
  store = openMarketStore(':memory:');
});

const status = ({ polled = true, running = false, sourceFault = null as string | null, minutes = 0 } = {}) =>
  pipelineStatus({ source, key: 'yahoo', polled }, settings, store, {
    running,
    sourceFault,
    now: new Date(Date.UTC(2024, 0, 1, 0, minutes)),
  });

const AT = new Date(Date.UTC(2024, 0, 1)).toISOString();
const of = { updateId: 'u', at: AT };

function load(ticker: string): void {
  const bar = { date: '2023-12-29', open: 1, high: 1, low: 1, close: 1, volume: 1 };
  store.update(ticker, { bars: [bar], splits: [], dividends: [] }, { ...of, complete: false, warnings: [] });
}
const finish = () => store.setNotes({ complete_until: '2023-12-29', updated_at: AT });

describe('the status of the pipeline', () => {
  it('is uninitialized, loading, ready, updating in turn, and never names a folder', () => {
    expect(status()).toMatchObject({
      status: 'uninitialized',
      tickers_loaded: 0,
      db_path: 'market-yahoo.db',
    });
    expect(status({ running: true }).status).toBe('loading');
    load('A');
    expect(status({ running: true }).status).toBe('loading');
    finish();
    expect(status()).toMatchObject({ status: 'ready', bars: 1, first: '2023-12-29', last: '2023-12-29' });
    expect(status({ running: true }).status).toBe('updating');
  });

  it('is an error while there is nothing to show, and says why', () => {
    expect(status({ sourceFault: 'no folder' })).toMatchObject({
      status: 'error',
      failed: [{ ticker: '*', faults: ['no folder'] }],
    });
    store.fail('A', ['A: unknown'], of);
    expect(status()).toMatchObject({ status: 'error', failed: [{ ticker: 'A', faults: ['A: unknown'] }] });
  });

  it('stays ready while some tickers fail, and is stale when all do', () => {
    load('A');
    load('B');
    finish();
    store.fail('A', ['away'], of);
    expect(status()).toMatchObject({ status: 'ready', tickers_loaded: 2, failed: [{ ticker: 'A' }] });
    store.fail('B', ['away'], of);
    expect(status()).toMatchObject({ status: 'stale', tickers_loaded: 2 });
  });

  it('is stale after three polls without an update, where the source goes on by itself', () => {
    load('A');
    finish();
    expect(status({ minutes: 180 }).status).toBe('ready');
    expect(status({ minutes: 181 }).status).toBe('stale');
    expect(status({ minutes: 10_000, polled: false }).status).toBe('ready');
  });
});
