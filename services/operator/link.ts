import { setTimeout as delay } from 'node:timers/promises';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { call, newCall, serve } from '../../events/messages/define.ts';
import type { Settings } from '../composition/settings.ts';
import { readListening } from '../foundation/listening.ts';
import { isRecordHeld, openRecord, openRuntime } from '../composition/runtime.ts';
import { openBusLink } from './link/bus.ts';
import { openHttpLink } from './link/http.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { RebuildTradingTables } from '../../events/messages/audit.ts';
import { startApplication } from '../composition/application.ts';
import { closingOnFailure } from '../foundation/closers.ts';
import { rebuildTables } from '../foundation/rebuild-tables.ts';
import { runTradingTables } from '../trading/tables/run-tables.ts';
import { createOperatorLogger } from './link/command-log.ts';
import type { OperatorLink } from './link/operator-link.ts';

/**
 * Milliseconds to wait for a service. A process that has the record but does not listen yet is starting, or it is
 * another command. On a shared bus another process takes over within five seconds and then has to start its work.
 */
const WAIT_MS = 8_000;
const STEP_MS = 50;

/**
 * Opens a link to the services. Rejects with `NatsUnavailable`, and with `STORE_UNAVAILABLE` if there is no record, or
 * the process that has it does not listen. Services in this process start with the first call.
 */
export async function openLink(settings: Settings, { waitMs = WAIT_MS } = {}): Promise<OperatorLink> {
  if (settings.distributed !== null) return openBusLink(settings, { waitMs });
  const { dataDir, adminApiKeys } = settings;
  for (const until = performance.now() + waitMs; isRecordHeld(settings); await delay(STEP_MS)) {
    // The address was written by the process that has the record now: see `noteListening`.
    const url = await readListening(dataDir);
    if (url !== null) return openHttpLink(url, { adminApiKeys, dataDir });
    if (performance.now() > until) {
      throw new BelegError('STORE_UNAVAILABLE', {
        detail: `another process is using ${dataDir}: a service that is starting or stopping, or another command; try again when it has finished`,
      });
    }
  }
  return openLocalLink(settings);
}

interface Running {
  readonly bus: MessageBus;
  close(): Promise<void>;
}

/** A link to services that run in this process while the link is open. They do not listen, and none of them trades. */
async function openLocalLink(settings: Settings): Promise<OperatorLink> {
  // Checks that the record exists: a wrong DATA_DIR must not create a new, empty record.
  await (await openRecord(settings))[Symbol.asyncDispose]();
  // The service that this command needs, which is only one.
  let running: Promise<Running> | undefined;
  return {
    async call(definition, payload) {
      const { bus } = await (running ??= start(definition.subject, settings));
      return call(bus, definition, payload, newCall());
    },
    async [Symbol.asyncDispose]() {
      await (await running?.catch(() => undefined))?.close();
    },
  };
}

async function start(subject: string, settings: Settings): Promise<Running> {
  const begin = subject === RebuildTradingTables.subject ? startTradingTables : startAudit;
  try {
    return await begin(settings);
  } catch (error) {
    if (!isBelegError(error, 'STORE_UNAVAILABLE') || !isRecordHeld(settings)) throw error;
    throw new BelegError('STORE_UNAVAILABLE', {
      detail: `another process started using ${settings.dataDir} in the meantime; nothing was done, try again`,
      cause: error,
    });
  }
}

async function startAudit(settings: Settings): Promise<Running> {
  // Even if answers are not recorded, a service must be able to erase and prove earlier records.
  const audit = { ...settings.audit, enabled: true, stdout: false };
  const application = await startApplication({ ...settings, audit }, createOperatorLogger(settings), {
    services: ['audit'],
  });
  return { bus: application.runtime.bus, close: () => application.close() };
}

/** Starts only the trading tables, because the trading service would trade while an operator looks at them. */
async function startTradingTables(settings: Settings): Promise<Running> {
  const logger = createOperatorLogger(settings);
  return closingOnFailure(async (closers) => {
    const runtime = await openRuntime(settings, logger);
    closers.defer(() => runtime.close());
    const tables = runTradingTables({
      ...runtime,
      logger,
      dataDir: settings.dataDir,
      // No other part here needs the tables, and a rebuild reports a vanished file itself.
      giveUp: () => undefined,
    });
    closers.defer(() => tables.stop());
    closers.defer(() => runtime.bus.drain());
    serve(
      runtime.bus,
      RebuildTradingTables,
      'trading',
      () => rebuildTables(tables, runtime.store),
      (error) => logger.error({ err: error }, 'the trading tables cannot be rebuilt'),
    );
    return { bus: runtime.bus, close: () => closers.disposeAsync() };
  });
}
