import { z } from 'zod';
import { readJson } from '../../../events/json.ts';

/**
 * The fields of a published event that are needed here. An event may arrive before the service that recorded it has it
 * in its tables, so a query names its position.
 */
const HeardEvent = z.object({
  id: z.string(),
  type: z.string(),
  stream: z.string(),
  revision: z.int().nonnegative(),
  position: z.string(),
  data: z.record(z.string(), z.unknown()).nullable(),
  /** `at`: the time by the clock of the process that decided it. */
  metadata: z.object({ at: z.iso.datetime() }),
});
export type HeardEvent = z.output<typeof HeardEvent>;

/** Reads an event; `undefined` for a message that is no event, because others may publish to the subject too. */
export const readHeard = (data: Uint8Array): HeardEvent | undefined =>
  readJson(HeardEvent, Buffer.from(data).toString());
