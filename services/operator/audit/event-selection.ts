import { createMatcher, type Selection } from '../../../events/store/selection.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import type { OpenRecord } from '../../foundation/record.ts';

/** Returns a test for whether a selection has an event. */
export function includes(selection: Selection): (event: RecordedEvent) => boolean {
  const matches = createMatcher(selection);
  return (event) => matches(event, () => event.metadata.at);
}

/**
 * All of a selection that is on record now, in the order of the record. By time, each event is judged by its own: one that
 * happened before `to` and was recorded after others is among them.
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
