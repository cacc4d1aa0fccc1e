import { admitKeyOrLoopback, refuseAll, requireKeyOrLoopback } from '../http/keys-and-hosts.ts';
import type { ModelSettings } from '../../models/settings.ts';

/** The settings of the dashboard gateway. */
export interface DashboardGatewaySettings {
  /** The keys that open all paths. If no key of either kind is set, all paths are open on this machine. */
  readonly apiKeys: readonly string[];
  /** The keys that open only paths that change nothing. */
  readonly readKeys: readonly string[];
  /** Host names, lower case, under which a proxy reaches the dashboard; loopback names always work. */
  readonly allowedHosts: readonly string[];
  /** Requests that each key may make in a minute; `null` means no limit. */
  readonly rateLimit: number | null;
  /** The path below which a proxy serves the dashboard, without a trailing slash; absent or empty if there is none. */
  readonly basePath?: string;
  /** The folder of the reports of backtests. */
  readonly reports: string;
  /** Milliseconds between metrics pushed to WebSocket clients. */
  readonly metricsIntervalMs: number;
  /** The sizes of the model, which are shown while its service does not answer. */
  readonly model: Pick<ModelSettings, 'spec' | 'training'>;
}

/** Who may do what on the dashboard. */
export type DashboardAccess = ReturnType<typeof decideDashboardAccess>;

/**
 * The trade key opens all paths, the read key those that change nothing. Without any key all are open on loopback. With
 * only a read key there is no trading, because an operator who sets a key does not mean to let others trade without
 * one.
 */
export function decideDashboardAccess({
  apiKeys,
  readKeys,
}: Pick<DashboardGatewaySettings, 'apiKeys' | 'readKeys'>) {
  const keys = [...apiKeys, ...readKeys];
  const trade =
    apiKeys.length === 0 && readKeys.length > 0
      ? refuseAll('This request needs TD_API_KEY, which is not set on the server')
      : requireKeyOrLoopback(apiKeys, { keys: readKeys, detail: 'This key may only read' });
  /** `read` guards paths that change nothing, `trade` all others; `readerOf` decides whether a WebSocket may read. */
  return { read: requireKeyOrLoopback(keys), trade, metrics: trade, readerOf: admitKeyOrLoopback(keys) };
}
