import { totalmem } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import { VERSION } from '../../foundation/version.ts';
import { MODEL_STATUS, TRADING_STATUS } from './dashboard-examples.ts';
import { readMemory, type Metrics } from './system-metrics.ts';
import { startDashboard, type Dashboard } from './dashboard.suite.ts';

let dashboard: Dashboard;
afterEach(() => dashboard?.app.close());

const read = () => dashboard.app.inject('/api/dashboard/metrics');

describe('metrics', () => {
  test('are what the services say', async () => {
    dashboard = await startDashboard();
    const { account, model, system } = (await read()).json<Metrics>();
    const { cash, total_value, positions } = TRADING_STATUS;
    expect(account).toEqual({ cash, total_value, positions_count: 1, positions });
    const { device, precision, hidden_channels, num_heads, batch_size, learning_rate } = MODEL_STATUS;
    expect(model).toEqual({
      status: 'loaded',
      device,
      precision,
      amd_gpu: false,
      mixed_precision: false,
      hidden_channels,
      num_heads,
      batch_size,
      learning_rate,
    });
    expect(system).toEqual({
      project_name: 'Beleg',
      version: VERSION,
      training_active: false,
      trading_active: true,
    });
    await dashboard.post('/api/trading/stop');
    dashboard.fakes.script.modelStatus = () => ({
      ...MODEL_STATUS,
      status: 'training',
      training_active: true,
    });
    expect((await read()).json<Metrics>().system).toMatchObject({
      training_active: true,
      trading_active: false,
    });
  });

  test('there are none without the account: 503, not zeros', async () => {
    dashboard = await startDashboard();
    await dashboard.fakes.leave('trading');
    const response = await read();
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: 'NO_RESPONDERS' });
  });

  test('nor while the trading service cannot read it', async () => {
    dashboard = await startDashboard(
      {},
      { tradingStatus: () => Promise.reject(new BelegError('STORE_UNAVAILABLE')) },
    );
    expect((await read()).json()).toMatchObject({ code: 'STORE_UNAVAILABLE', status: 503 });
  });

  test('without the model service the model is in error, and the account is shown', async () => {
    dashboard = await startDashboard();
    await dashboard.fakes.leave('models');
    const response = await read();
    expect(response.statusCode).toBe(200);
    const { account, model, system } = response.json<Metrics>();
    expect(account.cash).toBe(TRADING_STATUS.cash);
    expect(model).toMatchObject({ status: 'error', device: 'unknown', hidden_channels: 64 });
    expect(system.training_active).toBe(false);
  });
});

describe('memory', () => {
  const GB = 1e9;

  test('is of this process, on this machine', () => {
    const memory = readMemory();
    const resident = process.memoryUsage.rss() / GB;
    expect(memory.allocated_gb).toBeGreaterThan(resident / 2);
    expect(memory.allocated_gb).toBeLessThan(resident * 2);
    expect(memory.max_allocated_gb).toBeGreaterThanOrEqual(memory.allocated_gb);
    expect(memory.total_gb).toBeCloseTo(totalmem() / GB, 3);
    expect(memory.limit_gb).toBeLessThanOrEqual(memory.total_gb);
    expect(memory.free_gb).toBeGreaterThan(0);
    expect(memory.free_gb).toBeLessThanOrEqual(memory.limit_gb);
    expect(memory.usage_percent).toBeCloseTo((memory.allocated_gb / memory.limit_gb) * 100, 0);
  });

  test.each([
    ['no limit known', 0],
    ['no limit set (cgroup v1)', 9_223_372_036_854_771_712],
    ['no limit set (cgroup v2)', 2 ** 64],
    ['a limit above what there is', totalmem() + GB],
  ])('with %s the limit is the machine', (_, constrained) => {
    const { limit_gb, total_gb } = readMemory({ constrained });
    expect(limit_gb).toBe(total_gb);
  });

  test('of a cgroup is what the figures are of', () => {
    const memory = readMemory({ resident: 123_456_789, constrained: 512_000_000 });
    expect(memory).toMatchObject({ allocated_gb: 0.123, limit_gb: 0.512, usage_percent: 24.11 });
    expect(memory.total_gb).toBeGreaterThan(memory.limit_gb);
    expect(memory.free_gb).toBeLessThanOrEqual(0.389);
  });

  test('beyond its limit leaves nothing', () => {
    expect(readMemory({ resident: 600_000_000, constrained: 512_000_000 }).free_gb).toBe(0);
  });
});

/** The value of a figure in text of the Prometheus format. */
const value = (text: string, name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];

describe('GET /metrics', () => {
  test('has the account, requests by route, and the process', async () => {
    dashboard = await startDashboard();
    await dashboard.app.inject('/api/data/price/AAPL');
    const { body, headers } = await dashboard.app.inject('/metrics');
    expect(headers['content-type']).toContain('text/plain');
    expect(value(body, 'beleg_trading_ready')).toBe('1');
    expect(value(body, 'beleg_trading_active')).toBe('1');
    expect(value(body, 'beleg_trading_halted')).toBe('0');
    expect(value(body, 'beleg_account_cash')).toBe('81254.5');
    expect(value(body, 'beleg_account_value')).toBe('100412.5');
    expect(value(body, 'beleg_account_positions')).toBe('1');
    expect(value(body, 'beleg_orders_open')).toBe('1');
    expect(value(body, 'beleg_discrepancies')).toBe('0');
    expect(body).toContain('route="/api/data/price/:ticker",status="200"');
    expect(body).not.toContain('AAPL');
    expect(body).toContain('process_resident_memory_bytes');
    expect(value(body, 'beleg_model_in_use')).toBe('1');
    expect(value(body, 'beleg_model_prediction_p95_seconds')).toBe('0.0182');
    dashboard.fakes.account.status.state = 'halted';
    expect(value((await dashboard.app.inject('/metrics')).body, 'beleg_trading_halted')).toBe('1');
  });

  test('without trading it has no figures of the account instead of old ones', async () => {
    dashboard = await startDashboard();
    await dashboard.app.inject('/metrics');
    await dashboard.fakes.leave('trading');
    const { body, statusCode } = await dashboard.app.inject('/metrics');
    expect(statusCode).toBe(200);
    expect(value(body, 'beleg_trading_ready')).toBe('0');
    expect(value(body, 'beleg_account_cash')).toBeUndefined();
    expect(value(body, 'beleg_trading_active')).toBeUndefined();
    await dashboard.fakes.leave('models');
    expect(value((await dashboard.app.inject('/metrics')).body, 'beleg_model_in_use')).toBeUndefined();
  });
});
