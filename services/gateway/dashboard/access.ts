import { isLoopback } from '../../config-fields.ts';
import { matchKeys, refuseAll, requireKey, requireLoopback, type Guard } from '../http/guards.ts';
import type { ModelSettings } from '../../config-trading.ts';

/** What the dashboard gateway is told. */
export interface DashboardGatewaySettings {
  /** Each opens everything; none: nothing needs a key on this machine, unless there is a key for reading. */
  readonly apiKeys: readonly string[];
  /** Each opens what changes nothing. */
  readonly readKeys: readonly string[];
  /** As of the knowledge gateway. */
  readonly allowedHosts: readonly string[];
  /** As of the knowledge gateway. */
  readonly rateLimit: number | null;
  /** Milliseconds between metrics pushed to WebSocket clients. */
  readonly metricsIntervalMs: number;
  /** The model's sizes, where its service does not answer. */
  readonly model: Pick<ModelSettings, 'spec' | 'training'>;
}

/** Who may do what on the dashboard. */
export interface DashboardAccess {
  /** What changes nothing. */
  readonly read: Guard;
  /** Everything else. */
  readonly trade: Guard;
  readonly metrics: Guard;
  /** The same for a WebSocket: whom a key lets read (a fingerprint, never logged), `null` for nobody. */
  readerOf(key: string | undefined, remoteAddress: string): string | null;
}

/**
 * The trade key opens everything, the read key what changes nothing. Without any key all is open on loopback. With a read
 * key alone there is no trading: a key for reading is no invitation to trade without one.
 */
export function decideDashboardAccess({
  apiKeys,
  readKeys,
}: Pick<DashboardGatewaySettings, 'apiKeys' | 'readKeys'>): DashboardAccess {
  const keys = [...apiKeys, ...readKeys];
  if (keys.length === 0) {
    const open = requireLoopback();
    return {
      read: open,
      trade: open,
      metrics: open,
      readerOf: (_key, remoteAddress) => (isLoopback(remoteAddress) ? 'loopback' : null),
    };
  }
  const trade =
    apiKeys.length === 0
      ? refuseAll('This request needs TD_API_KEY, which is not set on the server')
      : requireKey(apiKeys);
  return { read: requireKey(keys), trade, metrics: trade, readerOf: matchKeys(keys) };
}
