import type { RecordedEvent } from '../../../../events/store/store.ts';
import { toJsonLine } from '../../../foundation/json.ts';
import type { Write } from '../../output.ts';
import { toShown } from '../shown-event.ts';

/** The destination of replayed events, which come in order. */
export interface Sink {
  /** Resolves when there is room for more; nothing where there is. */
  send(event: RecordedEvent): Promise<void> | undefined;
  /** Resolves when all that was sent is out of this process. */
  flush(): Promise<void>;
}

/** Characters that are written at once. */
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
