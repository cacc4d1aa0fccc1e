import type { EventFilter, RecordedEvent } from './store.ts';

/** Whether a filter takes an event. Both of its parts narrow; what is absent takes all. */
export function matches(
  { types, streamPrefixes }: EventFilter,
  { type, stream }: Pick<RecordedEvent, 'type' | 'stream'>,
): boolean {
  return (
    (types?.includes(type) ?? true) && (streamPrefixes?.some((prefix) => stream.startsWith(prefix)) ?? true)
  );
}
