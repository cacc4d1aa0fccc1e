import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import { startApplication } from '../application.ts';
import type { Application } from '../running.ts';
import { urlOf } from '../../foundation/listening.ts';
import type { ServiceName } from '../service-names.ts';
import type { Settings } from '../settings.ts';
import { readStatus, type Phase, type ProcessStatus, type Figures } from './process-status.ts';
import { requireKeyOrLoopback } from '../../gateway/http/keys-and-hosts.ts';
import { openHttpServer } from '../../gateway/http/server.ts';
import { createRegistry } from '../../gateway/http/metrics-registry.ts';

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

/** Rejects as `startApplication` does, or with the error of listening; nothing stays open then. */
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
  return { url: urlOf(app.server), close: () => app.close() };
}

interface ProcessMetrics {
  /** Renders a status as Prometheus text. */
  render(status: ProcessStatus): Promise<string>;
  readonly contentType: string;
}

/** The figures of the process, of its bus and leases, and every number or flag in its service's status. */
function createProcessMetrics(): ProcessMetrics {
  const register = createRegistry();
  const registers = [register];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const info = gauge('beleg_process_info', 'Name of this process', ['service', 'instance', 'version']);
  const ready = gauge('beleg_process_ready', '1 while this process accepts work');
  const connected = gauge('beleg_bus_connected', '1 while the bus is connected');
  const inFlight = gauge('beleg_bus_in_flight', 'Messages being handled now');
  const leases = gauge('beleg_lease_held', '1 for each lease that this process holds', ['lease']);
  const told = new Set<string>();

  const tell = (figures: Figures, prefix: string): void => {
    for (const [name, figure] of Object.entries(figures)) {
      const full = `${prefix}_${snakeCase(name)}`;
      if (typeof figure === 'object' && figure !== null) tell(figure, full);
      else if (typeof figure === 'number' || typeof figure === 'boolean') {
        told.add(full);
        gauge(full, `State reported by /ready: ${name}`).set(Number(figure));
      }
    }
  };

  return {
    render: async (status) => {
      info.reset();
      info.set({ service: status.service, instance: status.instance ?? '', version: status.version }, 1);
      ready.set(Number(status.ready));
      connected.set(Number(status.bus?.state === 'connected'));
      inFlight.set(status.bus?.in_flight ?? 0);
      leases.reset();
      for (const lease of status.leases) leases.set({ lease }, 1);
      // A figure that is no longer reported must not keep its last value.
      for (const name of told) register.removeSingleMetric(name);
      told.clear();
      tell(status.figures, `beleg_${status.service}`);
      return register.metrics();
    },
    contentType: register.contentType,
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/[^a-z0-9_]/g, '_');
}
