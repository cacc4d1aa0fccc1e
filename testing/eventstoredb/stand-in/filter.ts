import type readPb from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from './stored-event.ts';

/** How many events the server reads at a time if the client names no window. */
export const DEFAULT_WINDOW = 32;

export interface AllFilter {
  matches(event: StoredEvent): boolean;
  /** The number of events in one page. */
  window: number;
  /** The number of events after which a checkpoint is due. */
  checkpointInterval: number;
}

export function filterOf(options: readPb.ReadReq.Options.FilterOptions): AllFilter {
  const byStream = options.getStreamIdentifier();
  const expression = byStream ?? options.getEventType();
  const regex = expression?.getRegex() ? new RegExp(expression.getRegex()) : undefined;
  const prefixes = expression?.getPrefixList() ?? [];
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  return {
    matches(event) {
      const text = byStream === undefined ? event.type : event.stream;
      return regex === undefined ? prefixes.some((prefix) => text.startsWith(prefix)) : regex.test(text);
    },
    window,
    checkpointInterval: window * options.getCheckpointintervalmultiplier(),
  };
}
