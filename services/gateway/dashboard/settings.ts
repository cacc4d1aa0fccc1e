import { join, resolve } from 'node:path';
import { z } from 'zod';
import { basePath, Host, Keys, overlap, secret, whole } from '../../foundation/settings-fields.ts';

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
    /** The port; with 0 the system chooses one. */
    port: variables.TD_PORT,
    /** The path below which a proxy serves the dashboard; empty if there is none. */
    basePath: variables.TD_BASE_PATH,
    /** The keys that open all paths. Without keys, paths are open on this machine only. */
    apiKeys: variables.TD_API_KEY,
    /** The keys that open only paths that change nothing. */
    readKeys: variables.TD_READ_KEY,
    /** The folder of the reports of backtests. */
    reports: resolve(variables.TD_REPORTS ?? join(dataDir, 'reports')),
    metricsIntervalMs: variables.TD_METRICS_INTERVAL_MS,
  };
}

/** Faults in how variables are combined. */
export function dashboardFaults(env: Readonly<Record<string, string>>): string[] {
  return overlap(env['TD_READ_KEY'], env['TD_API_KEY'])
    ? ['TD_READ_KEY: must not contain a key of TD_API_KEY, or readers could trade']
    : [];
}
