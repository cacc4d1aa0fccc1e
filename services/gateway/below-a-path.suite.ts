import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { OPEN } from './dashboard/dashboard.suite.ts';
import { openDashboardGateway } from './dashboard/dashboard.ts';
import { startFakeTrading } from './dashboard/fake-trading.suite.ts';
import { startFakeServices } from './knowledge/fake-services.suite.ts';
import { openKnowledgeGateway } from './knowledge/knowledge.ts';
import { startProxy, type Habit } from './proxy.suite.ts';

const readiness = () => ({ ready: true, degraded: [] });

/** Both services behind one proxy: at `/beleg` and `/house/trading`. */
export async function startBelowPaths(habit: Habit) {
  const logger = pino({ level: 'silent' });
  const knowledge = await openKnowledgeGateway(
    startFakeServices().bus,
    { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null, basePath: '/beleg' },
    logger,
    readiness,
  );
  const dashboard = await openDashboardGateway(
    startFakeTrading().bus,
    { ...OPEN, basePath: '/house/trading' },
    logger,
    readiness,
  );
  const apps = [knowledge, dashboard];
  const [first, second] = await Promise.all(
    apps.map(async (app) => {
      await app.listen({ host: '127.0.0.1', port: 0 });
      return (app.server.address() as AddressInfo).port;
    }),
  );
  const proxy = await startProxy({ '/beleg': first!, '/house/trading': second! }, habit);
  return {
    apps,
    url: proxy.url,
    async close(): Promise<void> {
      proxy.close();
      await Promise.all(apps.map((app) => app.close()));
    },
  };
}
