import type { Logger } from 'pino';
import { startApplication } from '../application.ts';
import type { Application } from '../running.ts';
import type { ServiceName } from '../service-names.ts';
import type { Settings } from '../settings.ts';
import { urlOf } from '../../foundation/listening.ts';
import { requireKeyOrLoopback } from '../../gateway/http/keys-and-hosts.ts';
import { addProbes, openHttpServer } from '../../gateway/http/server.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { readStatus, type Phase, type ProcessStatus } from './process-status.ts';

/** A service in a process of its own, with its operations endpoint. */
export interface ServiceProcess {
  readonly application: Application;
  /** From this call on the process is not ready. It closes as `Application.close` does, and the endpoint last. */
  close(): Promise<void>;
}

export interface ServiceProcessOptions {
  /** Called as soon as the endpoint answers, before the service is ready, because its start may take long. */
  onOperations: (url: string) => void;
  start?: typeof startApplication;
}

/**
 * Starts a service in a process of its own, with its operations endpoint. Rejects as `startApplication` does, or with
 * the error of listening; nothing stays open then.
 */
export async function startServiceProcess(
  service: ServiceName,
  settings: Settings,
  logger: Logger,
  { onOperations, start = startApplication }: ServiceProcessOptions,
): Promise<ServiceProcess> {
  let phase: Phase = 'starting';
  let application: Application | null = null;
  const operations = await startOperations(settings, logger, () => readStatus(service, phase, application));
  try {
    onOperations(operations.url);
    const started = await start(settings, logger, { services: [service] });
    application = started;
    phase = 'running';
    return {
      application: started,
      async close() {
        phase = 'stopping';
        try {
          await started.close();
        } finally {
          await operations.close();
        }
      },
    };
  } catch (error) {
    await operations.close();
    throw error;
  }
}

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
