import { join, resolve } from 'node:path';
import { z } from 'zod';
import { basePath, Host, Keys, listOf, secret, whole } from '../../foundation/settings-fields.ts';

/** The address of the dashboard, and its keys. */
export const DashboardVariables = {
  TD_HOST: Host.describe(
    'address that the trading dashboard listens on; if other machines can reach it, set `TD_API_KEY`',
  ),
  TD_PORT: whole(0, 65_535, 8090).describe('port of the trading dashboard; `0`: any free port'),
  TD_BASE_PATH: basePath().describe(
    'path below which a proxy serves the trading dashboard, such as `/trading`; the proxy may cut it off or leave it',
  ),
  TD_API_KEY: secret(Keys, 'bearer key with full access'),
  TD_READ_KEY: secret(Keys, 'bearer key with read-only access'),
  TD_REPORTS: z.string().optional().meta({
    description: 'folder for the reports of backtests, of which the last 50 are kept',
    default: '`DATA_DIR/reports`',
  }),
  TD_METRICS_INTERVAL_MS: whole(50, 3_600_000, 1_000).describe(
    'milliseconds between metrics sent to WebSocket clients',
  ),
};

export function readDashboardSettings(
  variables: z.output<z.ZodObject<typeof DashboardVariables>>,
  dataDir: string,
) {
  return {
    host: variables.TD_HOST,
    /** 0 lets the system choose. */
    port: variables.TD_PORT,
    /** Path below which a proxy serves it; empty: none. */
    basePath: variables.TD_BASE_PATH,
    /** Each key opens everything. Without any, it is open on this machine. */
    apiKeys: variables.TD_API_KEY,
    /** Each key opens what changes nothing. */
    readKeys: variables.TD_READ_KEY,
    /** Where reports of backtests are kept. */
    reports: resolve(variables.TD_REPORTS ?? join(dataDir, 'reports')),
    metricsIntervalMs: variables.TD_METRICS_INTERVAL_MS,
  };
}

/** Faults that take more than one variable to see. */
export function dashboardFaults(env: Readonly<Record<string, string>>): string[] {
  const tradeKeys = listOf(env['TD_API_KEY'] ?? '');
  return listOf(env['TD_READ_KEY'] ?? '').some((key) => tradeKeys.includes(key))
    ? ['TD_READ_KEY: must not contain a key of TD_API_KEY, or readers could trade']
    : [];
}
