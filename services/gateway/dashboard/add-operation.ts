import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { DashboardAccess } from './access.ts';
import { addRoute, partsOf, type Route } from '../http/route.ts';

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
  const { method, url } = partsOf(operation);
  const [, , tag] = url.split('/');
  addRoute(app, { ...operation, tag: tag! }, method === 'GET' ? reads : changes);
}
