import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import type { Message } from 'google-protobuf';
import { status } from '@grpc/grpc-js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import type { Expected } from './expected.ts';
import { googleEmpty, streamIdentifier } from './protocol.ts';
import { MAX_APPEND_SIZE } from './refusals.ts';

function refusal(code: status, text: string, type: string, details: Message): statusPb.Status {
  const any = new anyPb.Any();
  any.pack(details.serializeBinary(), `event_store.client.${type}`);
  const result = new statusPb.Status();
  // The numbers of google.rpc.Code are those of gRPC.
  result.setCode(code as number);
  return result.setMessage(text).setDetails(any);
}

/** The failure of one append among many on a batch stream, which goes on: a status with its details packed. */
export const batchRefusals = {
  accessDenied: () =>
    refusal(status.PERMISSION_DENIED, 'Access Denied', 'AccessDenied', new sharedPb.AccessDenied()),
  timeout: () => refusal(status.DEADLINE_EXCEEDED, 'Timeout', 'Timeout', new sharedPb.Timeout()),
  unknown: () => refusal(status.UNKNOWN, 'Unknown', 'Unknown', new sharedPb.Unknown()),
  badRequest: (text: string) =>
    refusal(status.INVALID_ARGUMENT, text, 'BadRequest', new sharedPb.BadRequest().setMessage(text)),
  appendTooLarge: () =>
    refusal(
      status.INVALID_ARGUMENT,
      `Maximum Append Size of ${MAX_APPEND_SIZE} Exceeded.`,
      'MaximumAppendSizeExceeded',
      new sharedPb.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_SIZE),
    ),
  streamDeleted: (stream: string) =>
    refusal(
      status.FAILED_PRECONDITION,
      `Event stream '${stream}' is deleted.`,
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
    return refusal(
      status.FAILED_PRECONDITION,
      `Append failed due to WrongExpectedVersion.`,
      'WrongExpectedVersion',
      details,
    );
  },
};
