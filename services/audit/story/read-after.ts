import type {
  Position,
  RecordedEvent,
  RecordReader,
  ReadStreamOptions,
} from '../../../events/store/store.ts';

/**
 * A stream's events behind a place in the whole record. The place is found by halving, in some twenty reads of one event:
 * what came before is not read.
 */
export async function* readAfter(
  store: RecordReader,
  stream: string,
  position: Position,
): AsyncGenerator<RecordedEvent> {
  const last = await one(store, stream, { direction: 'backwards' });
  if (last === undefined || last.position <= position) return;
  let low = 0n;
  let high = last.revision;
  while (low < high) {
    const middle = (low + high) / 2n;
    const event = await one(store, stream, { from: middle });
    if (event === undefined || event.position > position) high = middle;
    else low = middle + 1n;
  }
  yield* store.readStream(stream, { from: low });
}

async function one(
  store: RecordReader,
  stream: string,
  options: ReadStreamOptions,
): Promise<RecordedEvent | undefined> {
  for await (const event of store.readStream(stream, { ...options, limit: 1 })) return event;
  return undefined;
}
