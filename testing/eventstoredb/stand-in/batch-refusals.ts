import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import type { Message } from 'google-protobuf';
import { status } from '@grpc/grpc-js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import type { Expected } from './expected.ts';
import { googleEmpty, streamIdentifier } from './protocol.ts';
import { MAX_APPEND_SIZE } from './refusals.ts';

/** The message of the status is the name of its details, as in the server. */
function refusal(code: status, type: string, details: Message): statusPb.Status {
  return packed(details, `event_store.client.${type}`)
    .setCode(code as number)
    .setMessage(type);
}

function packed(details: Message, type: string): statusPb.Status {
  const any = new anyPb.Any();
  any.pack(details.serializeBinary(), type);
  return new statusPb.Status().setDetails(any);
}

/** The failure of one append on a batch stream, which goes on: a status with packed details. */
export const batchRefusals = {
  /** This refusal has neither a code nor details. */
  notReady: () => packed(googleEmpty(), 'google.protobuf.Empty').setMessage('Server Is Not Ready'),
  accessDenied: () => refusal(status.PERMISSION_DENIED, 'AccessDenied', new sharedPb.AccessDenied()),
  timeout: () => refusal(status.DEADLINE_EXCEEDED, 'Timeout', new sharedPb.Timeout()),
  unknown: () => refusal(status.UNKNOWN, 'Unknown', new sharedPb.Unknown()),
  badRequest: (text: string) =>
    refusal(status.INVALID_ARGUMENT, 'BadRequest', new sharedPb.BadRequest().setMessage(text)),
  appendTooLarge: () =>
    refusal(
      status.INVALID_ARGUMENT,
      'MaximumAppendSizeExceeded',
      new sharedPb.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_SIZE),
    ),
  streamDeleted: (stream: string) =>
    refusal(
      status.NOT_FOUND,
      'StreamDeleted',
      new sharedPb.StreamDeleted().setStreamIdentifier(streamIdentifier(stream)),
    ),
  wrongExpectedVersion(expected: Expected, current: bigint) {
    const details = new sharedPb.WrongExpectedVersion();
    if (current < 0n) details.setCurrentNoStream(googleEmpty());
    else details.setCurrentStreamRevision(String(current));
    if (expected === 'any') details.setExpectedAny(googleEmpty());
    else if (expected === 'no_stream') details.setExpectedNoStream(googleEmpty());
    else if (expected === 'stream_exists') details.setExpectedStreamExists(googleEmpty());
    else details.setExpectedStreamPosition(String(expected));
    return refusal(status.ALREADY_EXISTS, 'WrongExpectedVersion', details);
  },
};
