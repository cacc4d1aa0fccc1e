import type { Logger } from 'pino';
import { startApplication } from '../application.ts';
import type { Application } from '../running.ts';
import type { ServiceName } from '../service-names.ts';
import type { Settings } from '../settings.ts';
import { startOperations } from './operations-endpoint.ts';
import { readStatus, type Phase } from './process-status.ts';

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
