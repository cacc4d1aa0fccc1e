import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listUnknownSettings, readSettings } from './settings.ts';
import { SettingsError, type Environment } from '../foundation/settings-error.ts';

function faultsOf(environment: Environment): readonly string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.faults;
  }
}

describe('settings of the trading service', () => {
  it('trades synthetic data on this machine where nothing is set', () => {
    const { dashboard, market, trading } = readSettings({ DATA_DIR: '/srv/beleg' });
    expect(dashboard).toEqual({
      host: '127.0.0.1',
      port: 8090,
      basePath: '',
      apiKeys: [],
      readKeys: [],
      reports: '/srv/beleg/reports',
      metricsIntervalMs: 1_000,
    });
    expect(market).toMatchObject({ source: { kind: 'demo' }, dbPath: '/srv/beleg/market-demo.db' });
    expect(trading).toMatchObject({
      strategy: 'crossover',
      feedSpeed: 1,
      riskFreePercent: 0,
      cash: 100_000n * 10n ** 16n,
      policy: {
        shorting: false,
        lot: 100_000_000n,
        maxOrderValue: null,
        maxDailyLossBps: null,
        maintenanceBps: 3_000n,
        borrowBps: 100n,
      },
      rules: { slippage: 50_000n, volumeLimit: 10_000_000n, lot: 100_000_000n },
    });
  });

  it.each([
    ['TD_CASH', '100.000', '100000', '100'],
    ['TD_CASH', '2.500', '2500', '2.5'],
    ['TD_MAX_ORDER_VALUE', '1.234', '1234', '1.2340'],
    ['TD_FEED_SPEED', '1.000', '1000', '1'],
  ])('refuses %s=%s, which a German means as a thousand times as much', (name, text, thousands, decimals) => {
    expect(faultsOf({ [name]: text })).toEqual([
      `${name}: ${text} is not clear: write ${thousands} if the point separates thousands, or ${decimals} if it stands before decimals`,
    ]);
    expect(faultsOf({ [name]: thousands })).toEqual([]);
    expect(faultsOf({ [name]: decimals })).toEqual([]);
  });

  it('takes decimals that nobody can mean as thousands, and says how a number is written', () => {
    // No volume is above 100 percent, and no group of thousands begins with 0.
    expect(faultsOf({ TD_VOLUME_LIMIT: '2.500', TD_LOT: '0.001', TD_CASH: '1000.125' })).toEqual([]);
    for (const text of ['1.000.000', '100,000', '100.000,00', "100'000"]) {
      expect(faultsOf({ TD_CASH: text })).toEqual([
        'TD_CASH: must be an amount, 0.01 to 1000000000000, with a point before decimals and no separators of thousands',
      ]);
    }
  });

  it('keeps each source in a file of its own', () => {
    const { market } = readSettings({ TD_SOURCE: 'csv:./bars/us', DATA_DIR: '/d' });
    expect(market.source).toEqual({ kind: 'csv', folder: resolve('bars/us') });
    expect(market.dbPath).toBe('/d/market-csv-us.db');
  });

  it.each([
    ['none', { kind: 'none' }],
    ['per-value:0.0015', { kind: 'per-value', rate: 150_000n }],
    ['per-order:10', { kind: 'per-order', amount: 10n ** 17n }],
    ['per-share:0.0075', { kind: 'per-share', perShare: 750_000n, minimum: 0n, maximum: null }],
    [
      'per-share:0.005, min=1, max=0.5%',
      { kind: 'per-share', perShare: 500_000n, minimum: 10n ** 16n, maximum: 500_000n },
    ],
  ])('reads the fees %s', (text, fees) => {
    expect(readSettings({ TD_FEES: text }).trading.rules.fees).toEqual(fees);
  });

  it('reads limits in percent', () => {
    const { policy } = readSettings({
      TD_MAX_DAILY_LOSS_PERCENT: '2.5',
      TD_MAX_POSITION_PERCENT: '20',
      TD_MAX_ORDER_VALUE: '50000',
    }).trading;
    expect(policy).toMatchObject({
      maxDailyLossBps: 250n,
      maxPositionBps: 2_000n,
      maxOrderValue: 50_000n * 10n ** 16n,
    });
  });

  it.each([
    ['TD_SOURCE', 'csv:'],
    ['TD_SOURCE', 'bloomberg'],
    ['TD_STRATEGY', 'luck'],
    ['TD_FEED_SPEED', '-1'],
    ['TD_FEED_SPEED', 'fast'],
    ['TD_FEED_FROM', '2020-02-30'],
    ['TD_CASH', '-1'],
    ['TD_CASH', '1e6'],
    ['TD_FEES', 'per-share'],
    ['TD_FEES', 'per-share:0.005,minimum=1'],
    ['TD_FEES', 'per-share:-1'],
    ['TD_FEES', 'per-value:0.1,min=1'],
    ['TD_LOT', '0'],
    ['TD_VOLUME_LIMIT', '101'],
    ['TD_MAX_DAILY_LOSS_PERCENT', '2 %'],
    ['TD_MARGIN_PERCENT', '0'],
    ['TD_BORROW_PERCENT', '-1'],
    ['TD_ACCOUNT', 'Main'],
    ['TD_CURRENCY', 'dollar'],
    ['TD_TICKERS', 'AAPL;MSFT'],
    ['TD_METRICS_INTERVAL_MS', '1'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name}: `)]);
  });

  it('binds beyond this machine with a key only', () => {
    expect(faultsOf({ TD_HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^TD_HOST: .*TD_API_KEY/)]);
    expect(faultsOf({ TD_HOST: '0.0.0.0', TD_READ_KEY: 'r'.repeat(16) })).toHaveLength(1);
    expect(faultsOf({ TD_HOST: '0.0.0.0', TD_API_KEY: 'k'.repeat(16) })).toEqual([]);
  });

  it('wants two keys to be two, and tickers to fetch', () => {
    expect(faultsOf({ TD_API_KEY: 'j,k', TD_READ_KEY: 'k,l' })).toEqual([
      expect.stringMatching(/^TD_READ_KEY: /),
    ]);
    expect(readSettings({ TD_TICKERS: 'SPY,SPY' }).market.tickers).toEqual(['SPY']);
    expect(faultsOf({ TD_SOURCE: 'yahoo' })).toEqual([expect.stringMatching(/^TD_TICKERS: /)]);
  });

  it('notices what is misspelt', () => {
    expect(listUnknownSettings({ TD_SPEED: '1', TD_PORT: '1' })).toEqual(['TD_SPEED']);
  });
});

it.each([
  ['demo', true],
  ['csv:./bars', true],
  ['yahoo', false],
])('rests while nothing trades where it is a replay: %s', (source, rests) => {
  expect(readSettings({ TD_SOURCE: source, TD_TICKERS: 'AAPL' }).trading.feedRests).toBe(rests);
});
