import { pino, type Logger } from 'pino';
import type { Settings } from '../composition/settings.ts';

/** The log of a service. Each line has the name of the service, and what is `known` by then. */
export const createServiceLog = (
  level: Settings['logLevel'],
  service: string,
  known: { readonly instance?: string },
): Logger => pino({ level, base: { service }, mixin: () => ({ ...known }) }, logOutput());

/** The most bytes of the log that wait in memory while it cannot be written. */
const MAX_LOG_WAITING = 256 * 1024;

/**
 * The log of a service, on standard error. Lines that cannot be written, because the disk is full, wait; if there are
 * many, some are left out.
 */
function logOutput(): ReturnType<typeof pino.destination> {
  // `flush` waits for the write under way only if there is a minimum length.
  const output = pino.destination({ dest: 2, sync: false, minLength: 1, maxLength: MAX_LOG_WAITING });
  let failing = false;
  output.on('error', () => (failing = true));
  output.on('write', () => (failing = false));
  // Once its buffer is full, the destination drops lines and does not try to write again by itself.
  output.on('drop', () => output.flush());
  // At its end the process would write waiting lines again and again until it succeeds: on a full disk it would never
  // end.
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    if (!failing) flushSync();
  };
  return output;
}
