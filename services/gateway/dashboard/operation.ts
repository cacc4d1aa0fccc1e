import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { call, type RequestDefinition } from '../../../events/messages/define.ts';
import type { DashboardAccess } from './access.ts';
import { callAgainIfLost } from '../http/retry.ts';
import { addRoute, contextOf, type Route } from '../http/route.ts';

/** GET reads, POST changes: the keys follow from that. */
export function addOperation(app: FastifyInstance, access: DashboardAccess, operation: Route): void {
  const reads = { guard: access.read, keys: ['readKey', 'tradeKey'] };
  const changes = { guard: access.trade, keys: ['tradeKey'] };
  addRoute(app, operation, operation.method === 'GET' ? reads : changes);
}

/** For what may be asked twice, since the second time changes nothing: once more where whoever took it is gone. */
export function ask<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
  request: FastifyRequest,
): Promise<z.output<Rep>> {
  return callAgainIfLost(bus, definition, payload, contextOf(request), { as: 'same call' });
}

/** For what must happen once: where the answer is lost it may have been done, and is not sent again. */
export function tell<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
  request: FastifyRequest,
): Promise<z.output<Rep>> {
  return call(bus, definition, payload, contextOf(request));
}
