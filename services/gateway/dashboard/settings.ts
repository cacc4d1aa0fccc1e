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
