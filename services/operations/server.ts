import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Settings } from '../config.ts';
import { requireKeyOrLoopback } from '../gateway/http/guards.ts';
import { createHttpServer } from '../gateway/http/server.ts';
import { createProcessMetrics } from './metrics.ts';
import type { ProcessStatus } from './status.ts';

interface OperationsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Where orchestrators and monitors ask after one process: `GET /live` (200 while its event loop turns), `GET /ready` (503
 * while no work should be sent here), `GET /metrics` (with the admin key where one is set, else from this machine).
 * Rejects with the fault of listening.
 */
export async function startOperations(
  settings: Pick<Settings, 'operations' | 'allowedHosts' | 'adminApiKeys'>,
  logger: Logger,
  readStatus: () => ProcessStatus,
): Promise<OperationsServer> {
  // A check every few seconds is no news.
  const quiet = logger.child({}, { level: logger.isLevelEnabled('debug') ? logger.level : 'warn' });
  const app = createHttpServer({ allowedHosts: settings.allowedHosts, logger: quiet });
  const metrics = createProcessMetrics();
  const guard = requireKeyOrLoopback(settings.adminApiKeys);

  app.get('/live', async () => ({ live: true }));
  app.get('/ready', async (_request, reply) => {
    const status = readStatus();
    void reply.code(status.ready ? 200 : 503);
    return status;
  });
  app.get('/metrics', { onRequest: guard }, async (_request, reply) => {
    void reply.type(metrics.contentType);
    return metrics.render(readStatus());
  });

  try {
    await app.listen(settings.operations);
  } catch (error) {
    await app.close();
    throw error;
  }
  return { url: urlOf(app.server.address() as AddressInfo), close: () => app.close() };
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
