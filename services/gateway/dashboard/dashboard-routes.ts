import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation } from './add-operation.ts';
import type { DashboardContext } from './dashboard-context.ts';
import { Metrics, readMetrics } from './system-metrics.ts';
import { limitQuery } from './query-parameters.ts';
import { BEHIND, contextOf } from '../http/route.ts';

export const LogList = z.object({
  logs: z
    .array(z.string())
    .describe('`[YYYY-MM-DD HH:MM:SS] message`, UTC; the newest 1000 are kept, until the process stops'),
  total: z.int().describe('Number of lines kept; `limit` may return fewer'),
});
export const LogsCleared = z.object({ status: z.literal('cleared') });

/** Adds the routes for current figures and for the log. */
export function addDashboardRoutes(
  app: FastifyInstance,
  { bus, settings, access, logs }: DashboardContext,
): void {
  addOperation(app, access, {
    at: 'GET /api/dashboard/metrics',
    summary: 'Current state of memory, account, model and system; 503 while the account cannot be read',
    reply: Metrics,
    means: 'The current figures',
    codes: [...BEHIND, 'STORE_UNAVAILABLE'],
    handler: (request) => readMetrics(bus, settings, contextOf(request)),
  });

  addOperation(app, access, {
    at: 'GET /api/dashboard/logs',
    summary: 'Log lines since this process started',
    querystring: limitQuery('logLines'),
    reply: LogList,
    means: 'The newest lines, oldest first',
    codes: [],
    handler: async (request) => logs.read(request.query.limit),
  });

  addOperation(app, access, {
    at: 'POST /api/dashboard/logs/clear',
    summary: 'Clear the log; recorded events are not affected',
    reply: LogsCleared,
    means: 'The log was cleared',
    codes: [],
    handler: async () => {
      logs.clear();
      return { status: 'cleared' };
    },
  });
}
