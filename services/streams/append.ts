import { isBelegError } from '../../events/errors.ts';
import type { AppendResult, EventStore, NewEvent } from '../../events/store/store.ts';
import type { Clock } from '../clock.ts';

export interface Patience {
  readonly clock: Clock;
  /** Once it has aborted, what failed is tried a last time, at once. */
  readonly signal: AbortSignal;
  /** Told of each failure that says nothing of what happened. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Appends, and finds out. THE answer to an append that failed with `STORE_UNAVAILABLE`, which may have landed or may land
 * late: the identical append is repeated until the store has said whether the events stand there (see `EventStore`). Nothing
 * else may be appended to the stream meanwhile.
 *
 * `WRONG_EXPECTED_REVISION`: other events stand there, and these never will. Rejects with `STORE_UNAVAILABLE` only after
 * `signal` has aborted: then nobody knows.
 */
export function appendUntilKnown(
  store: Pick<EventStore, 'append'>,
  stream: string,
  expectedRevision: bigint,
  events: readonly NewEvent[],
  patience: Patience,
): Promise<AppendResult> {
  return whileAway(() => store.append(stream, expectedRevision, events), patience);
}

/** Tries again while the store is away: after 20 ms, doubling to a second. */
export async function whileAway<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const { clock, signal, onFailure } = patience;
  for (let failures = 1; ; failures++) {
    const isLast = signal.aborted && failures > 1;
    try {
      return await attempt();
    } catch (error) {
      if (isLast || !isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
      onFailure?.(error);
    }
    await pause(clock, Math.min(20 * 2 ** Math.min(failures - 1, 6), 1_000), signal);
  }
}

/** Shorter where `signal` aborts. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      callOff();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const callOff = clock.after(ms, over);
    signal.addEventListener('abort', over);
    if (signal.aborted) over();
  });
}
