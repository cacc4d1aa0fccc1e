import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../json.ts';
import type { RecordedEvent, RecordReader, StoredEvent, StoreFault, ScannedPage } from './store.ts';

/** The limits of one page; the page ends at whichever is reached first. */
export const PAGE_EVENTS = 256;
export const PAGE_CHARACTERS = 1024 * 1024;

/**
 * The record, or one stream, as a verifier reads it: up to the end at the beginning of the read, in pages of bounded
 * size. A store that can return its own bytes does so, and reports damage as a fault. For any other store the events
 * are put into canonical form, which is what the chain covers.
 */
export function scanRecord(store: RecordReader, stream?: string): AsyncIterable<ScannedPage> {
  return store.scan?.(stream) ?? inPages(stream === undefined ? store.readAll() : store.readStream(stream));
}

/** Groups events into pages for a verifier. `atEnd` returns further faults once all events were read. */
export async function* inPages(
  read: AsyncIterable<RecordedEvent>,
  atEnd: () => readonly StoreFault[] = () => [],
): AsyncGenerator<ScannedPage> {
  let events: StoredEvent[] = [];
  let faults: StoreFault[] = [];
  let characters = 0;
  for await (const event of read) {
    const stored = canonical(event);
    if (stored === undefined) {
      const { position, stream, revision } = event;
      faults.push({ kind: 'unreadable', from: position, to: position, stream, revision: Number(revision) });
    } else {
      events.push(stored);
      characters += stored.data.length;
    }
    if (events.length + faults.length < PAGE_EVENTS && characters < PAGE_CHARACTERS) continue;
    yield { events, faults, total: null };
    events = [];
    faults = [];
    characters = 0;
    await nextTurn();
  }
  yield { events, faults: [...faults, ...atEnd()], total: null };
}

/**
 * The event in canonical form; `undefined` for values that no event of ours can have: infinite numbers, or lists nested
 * a thousand deep.
 */
function canonical(event: RecordedEvent): StoredEvent | undefined {
  try {
    return toStored(event);
  } catch {
    return undefined;
  }
}

/** An event that was read, in canonical form again. */
export function toStored({ data, metadata, revision, ...event }: RecordedEvent): StoredEvent {
  const { hash, ...covered } = metadata;
  return {
    ...event,
    revision: Number(revision),
    data: canonicalJson(data),
    metadata: canonicalJson(covered),
    hash,
  };
}
