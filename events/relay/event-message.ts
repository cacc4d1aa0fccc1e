import type { Headers } from '../bus/bus.ts';
import { MAX_PAYLOAD_BYTES } from '../bus/message.ts';
import type { AnyEventDefinition } from '../define.ts';
import type { Json } from '../json.ts';
import type { EventMetadata, RecordedEvent } from '../store/store.ts';
import type { OutgoingEvent } from './outlet.ts';

/** The JSON that a subscriber gets: the event as on record. Free text in `data` is sealed: `{"$sealed": …}`. */
export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  /** The number of the event within the stream, from 0 on. By it a subscriber recognises repeated events. */
  readonly revision: number;
  /** The event's position in the record. Compared as text, positions grow from event to event. */
  readonly position: string;
  /** The event's data; `null` if it does not fit into a message and has to be read from the store. */
  readonly data: Json;
  /** The metadata and `hash`, which links the event into the chain of its stream. */
  readonly metadata: EventMetadata & { readonly hash: string };
}

/** The header with the event's position in the record. */
export const POSITION_HEADER = 'beleg-position';

/** The most bytes of the data. The rest of the message is for headers, including those that an outlet adds. */
const MAX_DATA_BYTES = MAX_PAYLOAD_BYTES - 16 * 1024;

/**
 * The values that are sent as headers: printable ASCII. A value that cannot be sent would stop the relay for good, and
 * the data has every value in full.
 */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** An event in the form that is published. Pure, so that a repeated publication has the same bytes. */
export function toOutgoing(
  definition: Pick<AnyEventDefinition, 'subject'>,
  event: RecordedEvent,
): OutgoingEvent {
  const { $correlationId, traceparent } = event.metadata;
  const headers: Headers = {
    'content-type': 'application/json',
    'event-type': event.type,
    ...(HEADER_VALUE.test($correlationId) ? { 'correlation-id': $correlationId } : {}),
    ...(traceparent !== undefined && HEADER_VALUE.test(traceparent) ? { traceparent } : {}),
  };
  const data = encode(event);
  return {
    id: event.id,
    subject: definition.subject(event.stream),
    data: data.byteLength <= MAX_DATA_BYTES ? data : encode({ ...event, data: null }),
    headers,
    position: event.position,
  };
}

function encode({ id, type, stream, revision, position, data, metadata }: RecordedEvent): Uint8Array {
  const published: PublishedEvent = {
    id,
    type,
    stream,
    revision: Number(revision),
    position,
    data,
    metadata,
  };
  return Buffer.from(JSON.stringify(published));
}
