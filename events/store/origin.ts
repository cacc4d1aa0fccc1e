import type { EventStore, RecordedEvent } from './store.ts';

type Store = Pick<EventStore, 'readAll' | 'readStream'>;

/**
 * Reads the origin of a record, by which it is recognised: the hash of its first event; `undefined` while it is empty.
 * Two records that did not begin as one have different origins, however long they are.
 *
 * Before our first event there can be many of the server's own, so the first event is searched for once, and later only
 * read again.
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
