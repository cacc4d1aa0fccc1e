import type { Logger } from 'pino';
import { urlOf } from '../../foundation/listening.ts';
import { requireKeyOrLoopback } from '../../gateway/http/keys-and-hosts.ts';
import { addProbes, openHttpServer } from '../../gateway/http/server.ts';
import type { Settings } from '../settings.ts';
import { createProcessMetrics } from './process-metrics.ts';
import type { ProcessStatus } from './process-status.ts';

interface OperationsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The endpoint for orchestrators and monitoring of one process: `GET /live` (200 while its event loop turns), `GET
 * /ready` (503 while no work should be sent here), `GET /metrics` (with the admin key if one is configured, else only
 * from this machine). Rejects with the error of listening.
 */
export async function startOperations(
  settings: Pick<Settings, 'operations' | 'allowedHosts' | 'adminApiKeys'>,
  logger: Logger,
  readStatus: () => ProcessStatus,
): Promise<OperationsServer> {
  // Checks come every few seconds, so they are only logged at the level debug.
  const quiet = logger.child({}, { level: logger.isLevelEnabled('debug') ? logger.level : 'warn' });
  const app = openHttpServer({ allowedHosts: settings.allowedHosts, logger: quiet });
  const metrics = createProcessMetrics();
  const guard = requireKeyOrLoopback(settings.adminApiKeys);

  addProbes(app, readStatus);
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
  return { url: urlOf(app.server), close: () => app.close() };
}
