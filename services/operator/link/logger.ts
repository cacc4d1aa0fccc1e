import { pino, type Logger } from 'pino';
import type { Settings } from '../../composition/settings.ts';

/** Standard output is for what a command was asked for. A service that runs for one request waits for much in vain. */
export function createOperatorLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino({ level: logLevel === 'info' ? 'error' : logLevel }, pino.destination({ dest: 2, sync: true }));
}
