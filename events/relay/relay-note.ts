import type { JetStreamManager } from 'nats';
import { z } from 'zod';
import { readJson } from '../json.ts';
import { isNotFound } from '../nats/bucket.ts';
import { apiCode, isForbidden } from '../nats/ensure-stream.ts';
import type { Position } from '../store/store.ts';

/** The key-value bucket with the relay's own note, and the key of the note. */
export const NOTE_BUCKET = 'BELEG_RELAY';
export const NOTE_KEY = 'checkpoint';

// The code in nats-server's server/errors.json.
export const NO_MESSAGE = 10037;

/**
 * How far the relay has come. This is kept beside the stream, because the stream's last message may have expired, or
 * later events may need no message.
 */
export const Note = z.object({
  position: z.string().transform((text) => text as Position),
  /** The number of messages of others up to `sequence`. Earlier versions did not count them. */
  foreign: z.int().nonnegative().default(0),
  /**
   * The last sequence of the stream when the note was written. If the stream now has a lower one, it has lost messages,
   * and the note is not valid.
   */
  sequence: z.int().nonnegative(),
});
export type Note = z.output<typeof Note>;

/** The number of messages that others have published among the events, as the relay has noted it. */
export async function foreignIn(manager: JetStreamManager): Promise<number> {
  const note = await manager.streams
    .getMessage(`KV_${NOTE_BUCKET}`, { last_by_subj: `$KV.${NOTE_BUCKET}.${NOTE_KEY}` })
    .catch((error: unknown) => {
      if (isNotFound(error) || isForbidden(error) || apiCode(error) === NO_MESSAGE) return undefined;
      throw error;
    });
  return (note && readJson(Note, note.string())?.foreign) ?? 0;
}
