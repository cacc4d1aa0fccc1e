import type { Logger } from 'pino';
import { listWarnings, readSettings, type Settings } from '../composition/settings.ts';
import type { Environment } from '../foundation/settings-error.ts';
import { startTelemetry } from '../composition/telemetry.ts';
import { onFirstSignal } from './first-signal.ts';
import { createServiceLog } from './service-log.ts';

/** Milliseconds after which a stopping process ends even if a part hangs; acknowledged work is on disk. */
const STOP_WITHIN_MS = 9_000;

/** Milliseconds after which a process whose start has failed ends even if a part of it is still open. */
const END_WITHIN_MS = 2_000;

/**
 * Milliseconds that the last lines of the log may then take to be read. A reader that stands still would keep the
 * process alive forever.
 */
const LOG_WITHIN_MS = 1_000;

/** An application that runs until it is stopped. */
interface Running {
  /** Adds this id to every further line of the log. */
  readonly instance: string;
  close(): Promise<void>;
}

type Start = (settings: Settings, logger: Logger) => Promise<Running>;

/**
 * Reads the settings, starts, and stops in order at SIGTERM or SIGINT: exit code 0 within 10 seconds. During the start,
 * and at a second signal, the process ends at once. If the start fails, this rejects with its error, and the process
 * ends whatever was left open.
 */
export async function runUntilStopped(
  environment: Environment,
  { service, start }: { service: string; start: Start },
): Promise<void> {
  // New files of the services can only be read by their user, even in a folder that others can read.
  process.umask(0o077);
  const env = { ...environment };
  if ((env['PV_AUDIT_ENABLED'] ?? '').trim() === '') {
    env['PV_AUDIT_ENABLED'] = 'true';
    console.log('beleg: answers, ratings and comments are recorded (PV_AUDIT_ENABLED=false switches it off)');
  }
  const settings = readSettings(env);
  for (const warning of listWarnings(env)) console.error(`beleg: ${warning}`);

  // The start logs before the id of the instance is known, and its parts keep the logger that they were given.
  const known: { instance?: string } = {};
  const logger = createServiceLog(settings.logLevel, service, known);
  const end = (): void => logger.flush(() => process.exit(0));
  let isRunning = false;
  const signalled = Promise.withResolvers<NodeJS.Signals>();
  onFirstSignal(['SIGTERM', 'SIGINT'], signalled.resolve);
  const stopped = signalled.promise.then((signal) => {
    logger.info({ signal }, 'stopping');
    // The start may be waiting long for other services, so the process ends at once. Nothing was acknowledged yet, and
    // its files are as safe as in a power failure.
    if (!isRunning) end();
    return setTimeout(() => {
      logger.error('stopping took too long; ending the process now');
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), LOG_WITHIN_MS);
      end();
    }, STOP_WITHIN_MS);
  });
  const running = await start(settings, logger).catch((error: unknown) => {
    // The caller prints the error and sets the exit code before this time is over.
    setTimeout(() => process.exit(), END_WITHIN_MS).unref();
    throw error;
  });
  isRunning = true;
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
  } catch (error) {
    clearTimeout(overdue);
    throw error;
  }
  // A running index build must not keep the process alive: its file is written completely or not at all.
  end();
}
