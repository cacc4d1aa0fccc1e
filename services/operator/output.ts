import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Text on its way out; resolves when there is room for more. */
export type Write = (text: string) => Promise<void>;

export function writeTo(stream: Writable): Write {
  return async (text) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
}

/**
 * Handles that the reader of this process's output has gone (`| head`). A command then ends without complaint; a service
 * goes on and prints nothing more.
 */
export function onBrokenPipe(then: 'end' | 'go on'): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (then === 'end') process.exit();
      // A broken stream would keep in memory all that is still written to it.
      stream.write = () => true;
    });
  }
}
