import {
  eventTypeFilter,
  streamNameFilter,
  type AllStreamSubscription,
  type Filter,
  type Position,
} from '@eventstore/db-client';

/** The server reports a checkpoint after this many windows of 32 events, its default size. */
const CHECKPOINT_WINDOWS = 8;

/**
 * The server-side filter of a subscription: the given event types, or all streams except system streams. Finite
 * reads use no filter.
 */
export function serverFilter(
  types: readonly string[] | undefined,
  checkpointReached: (position: Position) => void,
): Filter {
  const common = {
    checkpointInterval: CHECKPOINT_WINDOWS,
    // The client would turn an error that is thrown here into an unhandled rejection.
    checkpointReached: (subscription: AllStreamSubscription, position: Position): void => {
      try {
        checkpointReached(position);
      } catch (error) {
        subscription.destroy(error as Error);
      }
    },
  };
  if (types === undefined) return streamNameFilter({ ...common, regex: '^[^$]' });
  // With an empty list of types the pattern matches nothing.
  const regex = types.length === 0 ? '(?!)' : `^(?:${types.map((type) => RegExp.escape(type)).join('|')})$`;
  return eventTypeFilter({ ...common, regex });
}
