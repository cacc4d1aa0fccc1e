import { pino, type Logger } from 'pino';
import type { Settings } from '../../config.ts';

/** Standard output is for what a command was asked for, and what goes well is not worth a line. */
export function createOperatorLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino({ level: logLevel === 'info' ? 'warn' : logLevel }, pino.destination({ dest: 2, sync: true }));
}
