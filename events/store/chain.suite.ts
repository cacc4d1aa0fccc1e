import { GENESIS_HASH, recordedHash } from './chain.ts';
import type { Position, RecordedEvent } from './store.ts';

/** A valid chain of this many events. */
export function chain(length: number, stream = 'ask-1'): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  let hash = GENESIS_HASH;
  for (let n = 0; n < length; n++) {
    const event: RecordedEvent = {
      id: `00000000-0000-8000-8000-${String(n).padStart(12, '0')}`,
      type: 'Noted',
      data: { n, text: 'ä' },
      stream,
      revision: BigInt(n),
      position: String(n) as Position,
      metadata: { at: '2022-03-01T08:00:00Z', version: 1, $correlationId: 'r', $causationId: 'c', hash: '' },
    };
    hash = recordedHash(hash, event);
    event.metadata.hash = hash;
    events.push(event);
  }
  return events;
}
