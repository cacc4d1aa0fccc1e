import type { StreamInfo } from 'nats';
import { DAY_MS } from '../dates.ts';

/** How long NATS keeps published events, unless an operator has set another time. The record itself is in the store. */
export const KEPT_MS = 7 * DAY_MS;

/** Above this share the room for published events counts as full. */
const FULL = 0.95;
const HOUR_MS = 60 * 60 * 1000;

/**
 * The time since which published events are kept, if the stream is full and holds fewer days than it promises:
 * subscribers that were away for longer miss events. `undefined` if nobody misses any.
 */
export function keptSince({ config, state }: Pick<StreamInfo, 'config' | 'state'>): string | undefined {
  const { max_bytes: room, max_age: keepsNs } = config;
  const since = Date.parse(state.first_ts);
  const isYoung = keepsNs === 0 || Date.now() - since < keepsNs / 1e6 - HOUR_MS;
  // If nothing has been dropped yet, the stream's first event is the record's first.
  if (room <= 0 || state.bytes < FULL * room || state.first_seq <= 1 || !isYoung) return undefined;
  return new Date(since).toISOString();
}
