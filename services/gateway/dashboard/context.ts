import type { Registry } from 'prom-client';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { DashboardAccess } from './access.ts';
import type { DashboardLogs } from './logs.ts';
import type { DashboardGatewaySettings } from './settings.ts';

/** What the parts of the dashboard share: its routes, and the WebSocket. */
export interface DashboardContext {
  readonly bus: MessageBus;
  readonly settings: DashboardGatewaySettings;
  readonly access: DashboardAccess;
  readonly logs: DashboardLogs;
  /** Of `GET /metrics`. */
  readonly register: Registry;
}
