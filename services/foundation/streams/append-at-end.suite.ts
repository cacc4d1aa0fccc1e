import { isBelegError } from '../../../events/errors.ts';
import { NO_STREAM, type AppendResult, type EventStore, type NewEvent } from '../../../events/store/store.ts';

/** The revision to expect for an append at the stream's end. */
export async function lastRevision(store: EventStore, stream: string): Promise<bigint> {
  for await (const event of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
    return event.revision;
  }
  return NO_STREAM;
}

/** Appends at the end of the stream, wherever that is, and retries if another writer was first. */
export async function appendAtEnd(
  store: EventStore,
  stream: string,
  events: readonly NewEvent[],
): Promise<AppendResult> {
  for (;;) {
    try {
      return await store.append(stream, await lastRevision(store, stream), events);
    } catch (error) {
      if (!isBelegError(error, 'WRONG_EXPECTED_REVISION')) throw error;
    }
  }
}
