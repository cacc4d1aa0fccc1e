import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { MessageBus } from '../../events/bus/bus.ts';
import { call } from '../../events/messages/define.ts';
import { OrderRequest, SubmitOrder, TradingStatus } from '../../events/messages/trading.ts';
import type { DashboardAccess } from './dashboard-access.ts';
import { callAgainIfLost } from './retry.ts';
import { addRoute, contextOf } from './route.ts';

/** The account: its state, its orders, and what is done to it. */
export function addTradingRoutes(app: FastifyInstance, bus: MessageBus, access: DashboardAccess): void {
  addRoute(app, {
    method: 'GET',
    path: '/api/trading/status',
    guard: access.read,
    schema: {},
    handler: (request) => callAgainIfLost(bus, TradingStatus, {}, contextOf(request), { as: 'same call' }),
  });
  addRoute(app, {
    method: 'POST',
    path: '/api/trading/order',
    guard: access.trade,
    schema: { body: OrderRequest },
    handler: (request) =>
      call(bus, SubmitOrder, request.body as z.output<typeof OrderRequest>, contextOf(request)),
  });
}
