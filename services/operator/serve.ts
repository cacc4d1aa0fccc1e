import { pino } from 'pino';
import { startApplication } from '../application.ts';
import { listUnknownSettings, readSettings, type Environment } from '../config.ts';

/** A stop that takes longer leaves what hangs behind; what was acknowledged is on disk. */
const STOP_WITHIN_MS = 9_000;

/** Runs everything in one process until SIGTERM or SIGINT. */
export async function serve(environment: Environment): Promise<void> {
  const env = { ...environment };
  if ((env['PV_AUDIT_ENABLED'] ?? '').trim() === '') {
    env['PV_AUDIT_ENABLED'] = 'true';
    console.log('beleg: answers, ratings and comments are recorded (PV_AUDIT_ENABLED=false switches it off)');
  }
  const settings = readSettings(env);
  for (const name of listUnknownSettings(env)) console.error(`beleg: ${name} is not a setting; ignored`);

  const logger = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: false }));
  const stopped = stopSignal();
  const application = await startApplication(settings, logger);
  console.log(`beleg: listening on ${application.url} (test page at /, API at /docs)`);

  logger.info({ signal: await stopped }, 'stopping');
  const overdue = setTimeout(() => {
    logger.error('the stop took too long; leaving');
    logger.flush(() => process.exit(0));
  }, STOP_WITHIN_MS);
  await application.close();
  clearTimeout(overdue);
  // An index build that still runs must not hold the process: its file is whole or not there.
  logger.flush(() => process.exit(0));
}

/** Resolves at the first signal; a second one ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
