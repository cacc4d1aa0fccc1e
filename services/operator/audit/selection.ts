import { createMatcher, type Selection } from '../../../events/store/selection.ts';
import type { EventFilter, RecordedEvent } from '../../../events/store/store.ts';
import type { OpenRecord } from '../../record.ts';

/** A selection as a store understands it, and what is left to look at in each event that comes. */
export interface Selector {
  readonly filter: EventFilter;
  readonly includes: (event: Pick<RecordedEvent, 'stream' | 'type' | 'metadata'>) => boolean;
}

export function createSelector(selection: Selection): Selector {
  const { stream, category, type } = selection;
  const prefix = stream ?? category;
  const matches = createMatcher(selection);
  return {
    filter: {
      ...(prefix === undefined ? {} : { streamPrefixes: [prefix] }),
      ...(type === undefined ? {} : { types: type }),
    },
    includes: (event) => matches(event, () => event.metadata.at),
  };
}

/**
 * All of a selection that is on record now, in the order of the record. By time, each event is judged by its own: one that
 * happened before `to` and was recorded after others is among them.
 */
export async function* readSelected(
  { store, since }: Pick<OpenRecord, 'store' | 'since'>,
  selection: Selection,
): AsyncGenerator<RecordedEvent> {
  const { filter, includes } = createSelector(selection);
  const { stream, from } = selection;
  const after = stream === undefined && from !== undefined ? await since?.(from) : undefined;
  const events =
    stream === undefined
      ? store.readAll({ filter, ...(after === undefined ? {} : { after }) })
      : store.readStream(stream);
  for await (const event of events) if (includes(event)) yield event;
}
