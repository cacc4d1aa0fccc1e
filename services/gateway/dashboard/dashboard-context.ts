import type { Registry } from 'prom-client';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { DashboardAccess, DashboardGatewaySettings } from './access.ts';
import type { DashboardLogs } from './logs.ts';

/** The parts that the dashboard's routes and its WebSocket share. */
export interface DashboardContext {
  readonly bus: MessageBus;
  readonly settings: DashboardGatewaySettings;
  readonly access: DashboardAccess;
  readonly logs: DashboardLogs;
  /** The metrics that `GET /metrics` shows. */
  readonly register: Registry;
}
