import { BelegError, isBelegError } from '../events/errors.ts';
import { NO_STREAM, type AppendResult, type EventStore, type NewEvent } from '../events/store/store.ts';
import type { Vault } from '../events/vault/vault.ts';

/** Writers of one stream that can collide and still all get through. */
const MAX_CONFLICTS = 16;

/** The revision to expect for an append at the stream's end. */
export async function lastRevision(store: EventStore, stream: string): Promise<bigint> {
  for await (const event of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
    return event.revision;
  }
  return NO_STREAM;
}

/**
 * Load → decide → append: runs `attempt` again while another writer came first. `attempt` reads the stream afresh
 * each time, so that what it decides rests on the stream as it stands.
 *
 * @throws {BelegError} `WRONG_EXPECTED_REVISION` after 16 conflicts in a row.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBelegError(error, 'WRONG_EXPECTED_REVISION')) throw error;
      if (conflicts === MAX_CONFLICTS) throw new BelegError('WRONG_EXPECTED_REVISION', { cause: error });
    }
  }
}

/** Appends where the stream ends, wherever that is: for events that hold whatever else happened in the stream. */
export function appendAtEnd(
  store: EventStore,
  stream: string,
  events: readonly NewEvent[],
): Promise<AppendResult> {
  return retryOnConflict(async () => store.append(stream, await lastRevision(store, stream), events));
}

/**
 * As `appendAtEnd`, for events that may be on record already, or may get there while this runs: an append of unknown
 * outcome can land late. That they are missing and where the stream ends is one reading, so whatever lands after it
 * makes this append fail and read again.
 */
export function appendOnce(store: EventStore, stream: string, events: readonly NewEvent[]): Promise<void> {
  return retryOnConflict(async () => {
    let end = NO_STREAM;
    for await (const event of store.readStream(stream, { direction: 'backwards' })) {
      if (event.id === events[0]?.id) return;
      if (end === NO_STREAM) end = event.revision;
    }
    await store.append(stream, end, events);
  });
}

/** Tells the vault that text under these events' keys is on record. */
export function confirmKeys(vault: Vault, events: readonly NewEvent[]): void {
  for (const key of new Set(events.map((event) => event.metadata.key))) {
    if (key !== undefined) vault.confirm(key);
  }
}
