import {
  eventTypeFilter,
  streamNameFilter,
  type AllStreamSubscription,
  type Filter,
  type Position,
} from '@eventstore/db-client';

/** In windows of 32 events, the server's default. */
const CHECKPOINT_WINDOWS = 8;

/** Of a subscription: the types, else all streams but the server's own. A read that ends takes no filter. */
export function serverFilter(
  types: readonly string[] | undefined,
  checkpointReached: (position: Position) => void,
): Filter {
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
  if (types === undefined) return streamNameFilter({ ...common, regex: '^[^$]' });
  // Of none, what no text matches.
  const regex = types.length === 0 ? '(?!)' : `^(?:${types.map((type) => RegExp.escape(type)).join('|')})$`;
  return eventTypeFilter({ ...common, regex });
}
