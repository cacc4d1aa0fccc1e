import { BelegError, isBelegError } from '../../../events/errors.ts';
import { call } from '../../../events/messages/define.ts';
import { startApplication, type Application } from '../../application.ts';
import type { Settings } from '../../config.ts';
import { isRecordHeld, openRecord } from '../../runtime.ts';
import type { OperatorLink } from '../link.ts';
import { newCall } from './bus.ts';
import { createOperatorLogger } from './logger.ts';

const OFFERED = ['audit', 'trading'] as const;
type Offered = (typeof OFFERED)[number];

/** From services that run in this process for as long as the link is open, and listen nowhere. */
export async function openLocalLink(settings: Settings): Promise<OperatorLink> {
  // A wrong DATA_DIR must not become a new, empty record.
  await (await openRecord(settings)).close();
  let running: { readonly service: Offered; readonly application: Application } | undefined;
  const run = async (service: Offered): Promise<Application> => {
    if (running?.service === service) return running.application;
    await running?.application.close();
    running = undefined;
    running = { service, application: await start(service, settings) };
    return running.application;
  };
  // One start at a time: calls that come at once are for the same service.
  let starting: Promise<unknown> = Promise.resolve();
  const runInTurn = (service: Offered): Promise<Application> => {
    const started = starting.then(() => run(service));
    starting = started.catch(() => undefined);
    return started;
  };
  return {
    async call(definition, payload) {
      const { runtime } = await runInTurn(serviceOf(definition.subject));
      return call(runtime.bus, definition, payload, newCall());
    },
    async close() {
      await starting;
      await running?.application.close();
    },
  };
}

function serviceOf(subject: string): Offered {
  const context = subject.split('.')[3];
  const service = OFFERED.find((offered) => offered === context);
  if (service === undefined) throw new TypeError(`no service is started for ${subject}`);
  return service;
}

async function start(service: Offered, settings: Settings): Promise<Application> {
  // Whether answers are recorded is for the service to say; what is on record can be erased and proven all the same.
  const audit = { ...settings.audit, enabled: true, stdout: false };
  try {
    return await startApplication({ ...settings, audit }, createOperatorLogger(settings), {
      services: [service],
    });
  } catch (error) {
    if (!isBelegError(error, 'STORE_UNAVAILABLE') || !isRecordHeld(settings)) throw error;
    throw new BelegError('STORE_UNAVAILABLE', {
      detail: `another process has taken ${settings.dataDir} meanwhile; nothing was done: try again`,
      cause: error,
    });
  }
}
