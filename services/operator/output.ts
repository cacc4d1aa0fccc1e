import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes text; resolves when there is space for more. */
export type Write = (text: string) => Promise<void>;

export function writeTo(stream: Writable): Write {
  return async (text) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
}

/**
 * Handles the end of the reader of this process's output (`| head`). A command then ends without an error; a service
 * continues and prints nothing more.
 */
export function onBrokenPipe(then: 'end' | 'go on'): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (then === 'end') process.exit();
      // A broken stream would keep everything that is still written in memory.
      stream.write = () => true;
    });
  }
}
