import { pino, type Logger } from 'pino';
import { listWarnings, readSettings, type Settings } from '../composition/settings.ts';
import type { Environment } from '../foundation/settings-error.ts';
import { startTelemetry } from '../composition/telemetry.ts';
import { onFirstSignal } from './first-signal.ts';

/** A stop that takes longer leaves what hangs behind; what was acknowledged is on disk. */
const STOP_WITHIN_MS = 9_000;

/** What runs until it is told to stop. */
interface Running {
  /** From now on every line of the log has it. */
  readonly instance: string;
  close(): Promise<void>;
}

type Start = (settings: Settings, logger: Logger) => Promise<Running>;

/**
 * Reads the settings, starts, and stops in order at SIGTERM or SIGINT: exit code 0 within 10 seconds. A second signal
 * ends the process at once. Rejects with what the start rejects with.
 */
export async function runUntilStopped(
  environment: Environment,
  { service, start }: { service: string; start: Start },
): Promise<void> {
  // Whatever the services write is for their user alone, also in a folder that others can look into.
  process.umask(0o077);
  const env = { ...environment };
  if ((env['PV_AUDIT_ENABLED'] ?? '').trim() === '') {
    env['PV_AUDIT_ENABLED'] = 'true';
    console.log('beleg: answers, ratings and comments are recorded (PV_AUDIT_ENABLED=false switches it off)');
  }
  const settings = readSettings(env);
  for (const warning of listWarnings(env)) console.error(`beleg: ${warning}`);

  // The start logs before it knows its instance, and its parts keep the logger that they got.
  const known: { instance?: string } = {};
  const logger = pino(
    { level: settings.logLevel, base: { service }, mixin: () => ({ ...known }) },
    // `flush` waits for the write under way only if there is a minimum length.
    pino.destination({ dest: 2, sync: false, minLength: 1 }),
  );
  const signalled = Promise.withResolvers<NodeJS.Signals>();
  onFirstSignal(['SIGTERM', 'SIGINT'], signalled.resolve);
  const stopped = signalled.promise.then((signal) => {
    logger.info({ signal }, 'stopping');
    // Also over a start that hangs.
    return setTimeout(() => {
      logger.error('stopping took too long; ending the process now');
      logger.flush(() => process.exit(0));
    }, STOP_WITHIN_MS);
  });
  const running = await start(settings, logger);
  known.instance = running.instance;
  const telemetry = await startTelemetry(
    environment,
    { service: service === 'all' ? 'beleg' : `beleg-${service}`, instance: running.instance },
    logger,
  );

  const overdue = await stopped;
  try {
    await running.close();
    await telemetry.shutdown();
  } finally {
    clearTimeout(overdue);
  }
  // An index build that still runs must not hold the process: its file is whole or not there.
  logger.flush(() => process.exit(0));
}
