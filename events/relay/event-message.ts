import type { Headers } from '../bus/bus.ts';
import { MAX_PAYLOAD_BYTES } from '../bus/message.ts';
import type { AnyEventDefinition } from '../define.ts';
import type { Json } from '../json.ts';
import type { EventMetadata, RecordedEvent } from '../store/store.ts';
import type { OutgoingEvent } from './outlet.ts';

/** What a subscriber gets as JSON: the event as on record. Free text in `data` is sealed: `{"$sealed": …}`. */
export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  /** 0, 1, 2 … within the stream, so that a subscriber sees what it has had already. */
  readonly revision: number;
  /** Its position in the record, which grows from event to event when compared as text. */
  readonly position: string;
  /** `null` where the event would not fit into a message: read it from the store. */
  readonly data: Json;
  /** The metadata and `hash`, which links the event into the chain of its stream. */
  readonly metadata: EventMetadata & { readonly hash: string };
}

/** Says where the event stands in the whole record. */
export const POSITION_HEADER = 'beleg-position';

/** Left for the headers and those that an outlet adds. */
const MAX_DATA_BYTES = MAX_PAYLOAD_BYTES - 16 * 1024;

/** Printable ASCII: a header that could not be sent would stop the relay for good. What it says is in the data, too. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** An event on its way out; pure, so that whoever publishes it again sends the same bytes. */
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
