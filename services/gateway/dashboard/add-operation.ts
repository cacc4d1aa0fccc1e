import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { z } from 'zod';
import type { DashboardAccess, DashboardGatewaySettings } from './access.ts';
import { addRoute, type Route } from '../http/route.ts';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { DashboardLogs } from './logs.ts';

/**
 * Adds a path with its guard: a GET needs the key for reading, a POST the key for trading. The path decides its group
 * in the document.
 */
export function addOperation<Body extends z.ZodType, Params extends z.ZodType, Query extends z.ZodType>(
  app: FastifyInstance,
  access: DashboardAccess,
  operation: Omit<Route<Body, Params, Query>, 'tag'>,
): void {
  const reads = { guard: access.read, keys: ['readKey', 'tradeKey'] };
  const changes = { guard: access.trade, keys: ['tradeKey'] };
  const [, , tag] = operation.at.split('/');
  addRoute(app, { ...operation, tag: tag! }, operation.at.startsWith('GET') ? reads : changes);
}

/** The parts that the dashboard's routes and its WebSocket share. */
export interface DashboardContext {
  readonly bus: MessageBus;
  readonly settings: DashboardGatewaySettings;
  readonly access: DashboardAccess;
  readonly logs: DashboardLogs;
  /** The metrics that `GET /metrics` shows. */
  readonly register: Registry;
}
