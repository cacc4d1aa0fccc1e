import type { AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client';
import { BelegError } from '../../errors.ts';
import type { Json } from '../../json.ts';
import type { Position, RecordedEvent } from '../store.ts';
import { toPosition } from './positions.ts';

/** The number that an older server sends instead of a position. */
const NO_POSITION = 0xffffffffffffffffn;

/** The metadata in the store, with our additions (see `Appender`). Older records have no `id` there. */
type StoredMetadata = Partial<RecordedEvent['metadata']> & { id?: unknown };

export function positionOf({ event }: ResolvedEvent | AllStreamResolvedEvent): Position {
  const position = event?.position;
  if (position === undefined || position.commit === NO_POSITION) {
    throw new BelegError('STORE_UNAVAILABLE', { detail: 'EventStoreDB 22.6 or newer is needed' });
  }
  return toPosition(position);
}

/**
 * A stored event as a `RecordedEvent`; undefined for one of the server's own (streams and types in `$`: metadata,
 * statistics, tombstones). An event that others wrote into our streams has an empty hash, so that the chain shows it.
 */
export function toRecorded(
  { event }: ResolvedEvent | AllStreamResolvedEvent,
  position: Position,
): RecordedEvent | undefined {
  if (event === undefined || event.streamId.startsWith('$') || event.type.startsWith('$')) return undefined;
  const metadata = metadataOf(event.metadata);
  const { id = event.id } = metadata;
  // `id` is the last member of a fresh object, so deleting it is cheaper than a copy without it.
  delete metadata.id;
  if (typeof metadata.hash !== 'string') metadata.hash = '';
  return {
    id: String(id),
    type: event.type,
    data: event.isJson ? (event.data as Json) : null,
    metadata: metadata as RecordedEvent['metadata'],
    stream: event.streamId,
    revision: event.revision,
    position,
  };
}

function metadataOf(metadata: unknown): StoredMetadata {
  const known = typeof metadata === 'object' && metadata !== null && !(metadata instanceof Uint8Array);
  return known ? metadata : {};
}
