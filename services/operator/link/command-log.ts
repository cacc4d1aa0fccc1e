import { pino, type Logger } from 'pino';
import type { Settings } from '../../composition/settings.ts';

/**
 * The logger of the command line. It writes to standard error, because standard output is for the result of the
 * command. At the default level `info` only errors are shown, because a service that runs for one command has little
 * else to report.
 */
export function createOperatorLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino({ level: logLevel === 'info' ? 'error' : logLevel }, pino.destination({ dest: 2, sync: true }));
}
