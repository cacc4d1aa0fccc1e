import { z } from 'zod';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { createDecoder, tellLost, type Codec } from '../../../events/define.ts';
import { isBelegError } from '../../../events/errors.ts';
import type { Json } from '../../../events/json.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import { NO_KEYS } from '../../../events/vault/vault.ts';

export type ShownEvent = ReturnType<typeof toShown>;

/** An event for programs, as one line of JSON. */
export function toShown(event: RecordedEvent, data: Json = event.data) {
  const { position, stream, revision, id, type, metadata } = event;
  return {
    position,
    stream,
    revision: Number(revision),
    id,
    type,
    at: metadata.at,
    correlation_id: metadata.$correlationId,
    causation_id: metadata.$causationId,
    data,
  };
}

/**
 * An event's data with decrypted text, in the present version. For an event that is not in the catalogue or cannot be
 * read, the stored data is returned, so that one damaged event does not hide the others.
 */
export async function openData(event: RecordedEvent, codec: Pick<Codec, 'decode'>): Promise<Json> {
  try {
    const decoded = await codec.decode(event);
    return decoded === undefined ? event.data : tellLost(decoded, event);
  } catch (error) {
    if (isUnreadable(error)) return event.data;
    throw error;
  }
}

/** Whether the event itself is faulty: damaged, or not valid by its definition. */
function isUnreadable(error: unknown): boolean {
  return isBelegError(error, 'STREAM_CORRUPT') || error instanceof z.ZodError;
}

/** A decoder without keys, which leaves text sealed. */
export const SEALING = createDecoder(CATALOG, NO_KEYS);
