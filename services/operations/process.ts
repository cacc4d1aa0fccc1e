import type { Logger } from 'pino';
import { startApplication, type Application } from '../application.ts';
import type { ServiceName } from '../service-names.ts';
import type { Settings } from '../config.ts';
import { startOperations } from './server.ts';
import { readStatus, type Phase } from './status.ts';

/** One service in a process of its own, with its operations endpoint. */
export interface ServiceProcess {
  readonly application: Application;
  /** Not ready from the call on; then as `Application.close`, and the endpoint last. */
  close(): Promise<void>;
}

export interface ServiceProcessOptions {
  /** Told as soon as the endpoint answers: before the service is ready, since its start may take a while. */
  onOperations: (url: string) => void;
  start?: typeof startApplication;
}

/** Rejects as `startApplication` does, or with the fault of listening; nothing stays open then. */
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
