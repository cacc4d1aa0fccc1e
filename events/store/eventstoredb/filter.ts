import {
  eventTypeFilter,
  streamNameFilter,
  type AllStreamSubscription,
  type Filter,
  type Position,
} from '@eventstore/db-client';
import type { EventFilter } from '../store.ts';

/** In windows of 32 events, the server's default. */
const CHECKPOINT_WINDOWS = 8;

/**
 * What the server can do of a filter for a subscription: the types, else the streams, else at least not its own streams.
 * The whole of it is done on our side: the server takes streams or types, not both, and none where a read ends.
 */
export function serverFilter(filter: EventFilter, checkpointReached: (position: Position) => void): Filter {
  const common = {
    checkpointInterval: CHECKPOINT_WINDOWS,
    // The client leaves a throw in here to be an unhandled rejection.
    checkpointReached: (subscription: AllStreamSubscription, position: Position): void => {
      try {
        checkpointReached(position);
      } catch (error) {
        subscription.destroy(error as Error);
      }
    },
  };
  const { types, streamPrefixes } = filter;
  if (types !== undefined) return eventTypeFilter({ ...common, regex: oneOf(types, '$') });
  if (streamPrefixes !== undefined && !streamPrefixes.includes('')) {
    return streamNameFilter({ ...common, regex: oneOf(streamPrefixes, '') });
  }
  return streamNameFilter({ ...common, regex: '^[^$]' });
}

/** A type whole, a stream's name from its start; of nothing, what no text matches. */
function oneOf(texts: readonly string[], end: '$' | ''): string {
  return texts.length === 0 ? '(?!)' : `^(?:${texts.map((text) => RegExp.escape(text)).join('|')})${end}`;
}
