import { pino } from 'pino';

/** How much of the log waits in memory while it cannot be written. */
const MAX_LOG_WAITING = 256 * 1024;

/** The log of a service, on standard error. Lines that its disk has no room for wait, or are left out if they are many. */
export function logOutput(): ReturnType<typeof pino.destination> {
  // `flush` waits for the write under way only if there is a minimum length.
  const output = pino.destination({ dest: 2, sync: false, minLength: 1, maxLength: MAX_LOG_WAITING });
  let failing = false;
  output.on('error', () => (failing = true));
  output.on('write', () => (failing = false));
  // Once its buffer is full it drops lines and does not try to write again by itself.
  output.on('drop', () => output.flush());
  // At its end the process writes what waits, again and again until it is written: on a full disk it would never end.
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    if (!failing) flushSync();
  };
  return output;
}
