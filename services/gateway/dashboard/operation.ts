import type { FastifyInstance } from 'fastify';
import type { DashboardAccess } from './access.ts';
import { addRoute, type Route } from '../http/route.ts';

/** GET reads, POST changes: the keys follow from that. */
export function addOperation(app: FastifyInstance, access: DashboardAccess, operation: Route): void {
  const reads = { guard: access.read, keys: ['readKey', 'tradeKey'] };
  const changes = { guard: access.trade, keys: ['tradeKey'] };
  addRoute(app, operation, operation.method === 'GET' ? reads : changes);
}
