import { once } from 'node:events';
import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Writes text; resolves when there is space for more. */
export type Write = (text: string) => Promise<void>;

export function writeTo(stream: Writable): Write {
  return async (text) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
}

/**
 * Handles an output of this process that cannot be written: its reader has ended (`| head`), or its disk is full. A
 * command ends, without an error if only its reader has ended. A service continues: lines that cannot be written are
 * left out, and printing goes on when there is room again.
 */
export function onBrokenOutput(then: 'end' | 'go on'): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (then === 'go on') {
        // A stream that has failed once accepts nothing more, and keeps further output in memory.
        stream.write = (text: string | Uint8Array) => printIfPossible(stream.fd, text);
      } else if (error.code === 'EPIPE') {
        process.exit();
      } else {
        printIfPossible(process.stderr.fd, `beleg: the output cannot be written: ${error.message}\n`);
        process.exit(1);
      }
    });
  }
}

function printIfPossible(fd: number, text: string | Uint8Array): true {
  try {
    if (typeof text === 'string') writeSync(fd, text);
    else writeSync(fd, text);
  } catch {
    // The error cannot be reported anywhere.
  }
  return true;
}
