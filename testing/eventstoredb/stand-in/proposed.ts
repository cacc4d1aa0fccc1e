import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ProposedEvent } from './stored-event.ts';
import { uuidText } from './protocol.ts';
import { refusals } from './refusals.ts';
import type { Version } from './version.ts';

/** Throws if a required property is missing. */
export function proposedEvent(
  message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage,
): ProposedEvent {
  const properties = message.getMetadataMap();
  const demand = (name: string): string => {
    const value = properties.get(name);
    if (value === undefined) throw refusals.missingProperty(name);
    return value;
  };
  return {
    id: uuidText(message.getId()),
    type: demand('type'),
    contentType: demand('content-type'),
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** The size by the server's rule: text counts as UTF-16, and 23.10 counts only the data (a precedence bug). */
export function sizeOf(event: ProposedEvent, version: Version): number {
  if (version === '23.10') return event.data.length;
  return event.data.length + event.metadata.length + event.type.length * 2;
}
