import type { EventStore, RecordedEvent } from './store.ts';

type Store = Pick<EventStore, 'readAll' | 'readStream'>;

/**
 * Reads by what a record is known again: the hash of its first event. Records that did not begin as one differ in it,
 * however far they have come; `undefined` while a record is empty.
 *
 * Events before the first of ours can be many (those of the server itself), so the first one is looked for once, and
 * later only looked at again.
 */
export function originReader(store: Store): () => Promise<string | undefined> {
  let known: RecordedEvent | undefined;
  return async () => {
    if (known !== undefined) {
      const { stream, revision: from } = known;
      const [same] = await Array.fromAsync(store.readStream(stream, { from, limit: 1 }));
      if (same !== undefined && nameOf(same) === nameOf(known)) return nameOf(known);
    }
    [known] = await Array.fromAsync(store.readAll({ limit: 1 }));
    return known && nameOf(known);
  };
}

/** Events of other programs have no hash. */
const nameOf = ({ id, metadata }: RecordedEvent): string => metadata.hash ?? id;
