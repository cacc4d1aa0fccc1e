import type {
  Position,
  RecordedEvent,
  RecordReader,
  ReadStreamOptions,
} from '../../../events/store/store.ts';

/**
 * The events of a stream after a position in the whole record. Their beginning is found by bisection, in some twenty
 * reads of one event; earlier events are not read.
 */
export async function* readAfter(
  store: RecordReader,
  stream: string,
  position: Position,
): AsyncGenerator<RecordedEvent> {
  const one = async (options: ReadStreamOptions): Promise<RecordedEvent | undefined> =>
    (await Array.fromAsync(store.readStream(stream, { ...options, limit: 1 })))[0];
  const last = await one({ direction: 'backwards' });
  if (last === undefined || last.position <= position) return;
  let low = 0n;
  let high = last.revision;
  while (low < high) {
    const middle = (low + high) / 2n;
    const event = await one({ from: middle });
    if (event === undefined || event.position > position) high = middle;
    else low = middle + 1n;
  }
  yield* store.readStream(stream, { from: low });
}
