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
  /** Counts 0, 1, 2 … within the stream, so that a subscriber can recognise what it has had already. */
  readonly revision: number;
  /** Its position in the record, which grows from event to event when compared as text. */
  readonly position: string;
  /** `null` if the event does not fit into a message: it has to be read from the store. */
  readonly data: Json;
  /** The metadata and `hash`, which links the event into the chain of its stream. */
  readonly metadata: EventMetadata & { readonly hash: string };
}

/** Says where the event stands in the whole record. */
export const POSITION_HEADER = 'beleg-position';

/** The rest of the message is left for the headers and those that an outlet adds. */
const MAX_DATA_BYTES = MAX_PAYLOAD_BYTES - 16 * 1024;

/**
 * Printable ASCII, because a header that cannot be sent would stop the relay for good. The data says the same in full.
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
