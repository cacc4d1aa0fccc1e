import { createMatcher, type Selection } from '../../../events/store/selection.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import type { OpenRecord } from '../../foundation/record.ts';

/** Returns a function that tells whether an event is in the selection. */
export function includes(selection: Selection): (event: RecordedEvent) => boolean {
  const matches = createMatcher(selection);
  return (event) => matches(event, () => event.metadata.at);
}

/**
 * All events of a selection that are on record now, in the order of the record. Each event is selected by its own time,
 * even if it was recorded after later ones.
 */
export async function* readSelected(
  { store, since }: Pick<OpenRecord, 'store' | 'since'>,
  selection: Selection,
): AsyncGenerator<RecordedEvent> {
  const isIncluded = includes(selection);
  const { stream, from, type: types } = selection;
  const after = stream === undefined && from !== undefined ? await since?.(from) : undefined;
  const events = stream === undefined ? store.readAll({ types, after }) : store.readStream(stream);
  for await (const event of events) if (isIncluded(event)) yield event;
}
