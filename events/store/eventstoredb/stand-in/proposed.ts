import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ProposedEvent } from './database.ts';
import { uuidText } from './protocol.ts';
import { refusals } from './refusals.ts';

/** Throws where a property is missing that the server demands. */
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

/** As the server counts it: text is UTF-16 there. */
export function sizeOf(event: ProposedEvent): number {
  return event.data.length + event.metadata.length + event.type.length * 2;
}
