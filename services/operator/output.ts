import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Text on its way out; resolves when there is room for more. */
export type Write = (text: string) => Promise<void>;

export function writeTo(stream: Writable): Write {
  return async (text) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
}

/** Whoever reads standard output has gone (`| head`): there is nothing left to do, and nothing to complain of. */
export function endQuietlyOnBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}
