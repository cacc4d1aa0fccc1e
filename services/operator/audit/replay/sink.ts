import type { RecordedEvent } from '../../../../events/store/store.ts';
import { toJsonLine } from '../../../foundation/json.ts';
import type { Write } from '../../output.ts';
import { toShown } from '../shown-event.ts';

/** The destination of replayed events, which arrive in order. */
export interface Sink {
  /** Returns a promise for free space, or `undefined` if there is space now. */
  send(event: RecordedEvent): Promise<void> | undefined;
  /** Resolves when everything has left this process. */
  flush(): Promise<void>;
}

/** The characters of one write. */
const CHUNK = 64 * 1024;

/** Writes one JSON object a line, marked as a replay. */
export function createLineSink(write: Write): Sink {
  let lines = '';
  const flush = async (): Promise<void> => {
    if (lines === '') return;
    const chunk = lines;
    lines = '';
    await write(chunk);
  };
  return {
    send(event) {
      lines += toJsonLine({ replay: true, ...toShown(event) });
      return lines.length >= CHUNK ? flush() : undefined;
    },
    flush,
  };
}
