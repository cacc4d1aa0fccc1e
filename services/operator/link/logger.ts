import { pino, type Logger } from 'pino';
import type { Settings } from '../../composition/settings.ts';

/**
 * The logger of the command line. It writes to standard error, because standard output is for the result of the
 * command. A service that is started for one command often waits for nothing, so at the default level `info` only
 * errors are shown.
 */
export function createOperatorLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino({ level: logLevel === 'info' ? 'error' : logLevel }, pino.destination({ dest: 2, sync: true }));
}
