import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { Context } from './context.ts';
import type { Outcome } from './database.ts';
import { expectedOf, type Expected } from './expected.ts';
import { ENDED, faulty, never } from './faulty.ts';
import { empty, streamName } from './protocol.ts';
import { refusals } from './refusals.ts';

/** `Streams.Delete`: hides the stream until it is written to again. */
export async function softDelete(
  context: Context,
  call: ServerUnaryCall<pb.DeleteReq, pb.DeleteResp>,
  answer: sendUnaryData<pb.DeleteResp>,
): Promise<void> {
  try {
    const options = call.request.getOptions()!;
    const position = await remove(context, 'delete', options, (stream, expected) =>
      context.database.softDelete(stream, expected),
    );
    answer(
      null,
      position === undefined
        ? new pb.DeleteResp().setNoPosition(empty())
        : new pb.DeleteResp().setPosition(
            new pb.DeleteResp.Position().setCommitPosition(position).setPreparePosition(position),
          ),
    );
  } catch (error) {
    answer(error as Error);
  }
}

/** `Streams.Tombstone`: ends the stream for good. */
export async function tombstone(
  context: Context,
  call: ServerUnaryCall<pb.TombstoneReq, pb.TombstoneResp>,
  answer: sendUnaryData<pb.TombstoneResp>,
): Promise<void> {
  try {
    const options = call.request.getOptions()!;
    const position = await remove(context, 'tombstone', options, (stream, expected) =>
      context.database.tombstone(stream, expected),
    );
    answer(
      null,
      position === undefined
        ? new pb.TombstoneResp().setNoPosition(empty())
        : new pb.TombstoneResp().setPosition(
            new pb.TombstoneResp.Position().setCommitPosition(position).setPreparePosition(position),
          ),
    );
  } catch (error) {
    answer(error as Error);
  }
}

async function remove(
  context: Context,
  method: 'delete' | 'tombstone',
  options: pb.DeleteReq.Options | pb.TombstoneReq.Options,
  work: (stream: string, expected: Expected) => Promise<Outcome>,
): Promise<string | undefined> {
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedOf(options, options.getRevision());
  const fault = context.faults.take(method);
  const outcome = await faulty(fault, context.cut, async (): Promise<Outcome> =>
    fault?.kind === 'wrongExpectedVersion'
      ? { kind: 'wrongVersion', current: context.database.currentRevision(stream) }
      : work(stream, expected),
  );
  if (outcome === ENDED) return never();
  if (outcome.kind === 'deleted') throw refusals.streamDeleted(stream);
  if (outcome.kind === 'wrongVersion') {
    throw refusals.wrongExpectedVersion('Delete', stream, expected, outcome.current);
  }
  return outcome.position === undefined ? undefined : String(outcome.position);
}
