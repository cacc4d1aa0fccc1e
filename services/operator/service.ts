import type { ServiceName } from '../composition/service-names.ts';
import { SettingsError, type Environment } from '../foundation/settings-error.ts';
import { startServiceProcess } from '../composition/operations/service-process.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/** Runs one service on the shared bus and the shared record until SIGTERM or SIGINT. */
export function service(name: ServiceName, environment: Environment): Promise<void> {
  return runUntilStopped(environment, {
    service: name,
    async start(settings, logger) {
      if (settings.distributed === null) {
        throw new SettingsError([
          `NATS_URL, EVENTSTORE_URL: required to run the ${name} service as its own process; to run everything in one process, use npm start`,
        ]);
      }
      const running = await startServiceProcess(name, settings, logger, {
        onOperations: (url) => {
          logger.info({ url }, 'operations');
          console.log(`beleg: ${name} operations at ${url} (/live, /ready, /metrics)`);
        },
      });
      const { url, dashboardUrl, runtime } = running.application;
      const { instance } = runtime;
      if (url !== null) {
        console.log(`beleg: ${name} ${instance} listening on ${url}, dashboard on ${dashboardUrl}`);
      } else console.log(`beleg: ${name} ${instance} is ready`);
      return { instance, close: () => running.close() };
    },
  });
}
