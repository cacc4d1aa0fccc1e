import type { sendUnaryData, ServerReadableStream } from '@grpc/grpc-js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { Context } from './context.ts';
import type { Outcome } from './database.ts';
import type { ProposedEvent } from './stored-event.ts';
import { expectedOf, type Expected } from './expected.ts';
import type { Fault } from './faults.ts';
import { ENDED, faulty, never } from './faulty.ts';
import { proposedEvent, sizeOf } from './proposed.ts';
import { empty, streamName } from './protocol.ts';
import { MAX_APPEND_SIZE, refusals } from './refusals.ts';
import type { Version } from './version.ts';

interface AppendCall {
  stream: string;
  expected: Expected;
  events: ProposedEvent[];
}

/** `Streams.Append`: one append in each call. Clients use it for calls with credentials of their own. */
export async function append(
  context: Context,
  call: ServerReadableStream<pb.AppendReq, pb.AppendResp>,
  answer: sendUnaryData<pb.AppendResp>,
): Promise<void> {
  try {
    const { stream, expected, events } = await receive(call, context.version);
    const fault = context.faults.take('append');
    const outcome = await faulty(fault, context.cut, () =>
      appendFaulty(context, fault, stream, expected, events),
    );
    // A unary call cannot end without a reply, so it waits.
    if (outcome === ENDED) return await never();
    if (outcome.kind === 'deleted') throw refusals.streamDeleted(stream);
    answer(null, response(expected, outcome));
  } catch (error) {
    answer(error as Error);
  }
}

/** The fault that replaces an outcome. */
export async function appendFaulty(
  { database }: Context,
  fault: Fault | undefined,
  stream: string,
  expected: Expected,
  events: readonly ProposedEvent[],
): Promise<Outcome> {
  if (fault?.kind === 'wrongExpectedVersion') {
    return { kind: 'wrongVersion', current: database.currentRevision(stream) };
  }
  return database.append(stream, expected, events);
}

async function receive(
  call: ServerReadableStream<pb.AppendReq, pb.AppendResp>,
  version: Version,
): Promise<AppendCall> {
  let options: pb.AppendReq.Options | undefined;
  const events: ProposedEvent[] = [];
  let size = 0;
  for await (const request of call) {
    if (options === undefined) {
      options = request.getOptions();
      if (options === undefined) throw refusals.invalidArgument('the first message holds the options');
      continue;
    }
    const event = proposedEvent(request.getProposedMessage());
    size += sizeOf(event, version);
    if (size > MAX_APPEND_SIZE) throw refusals.appendTooLarge();
    events.push(event);
  }
  // A cancelled call looks as if all its messages had arrived.
  if (call.cancelled) throw refusals.unavailable();
  if (options === undefined) throw refusals.invalidArgument('no options');
  return {
    stream: streamName(options.getStreamIdentifier()),
    expected: expectedOf(options, options.getRevision()),
    events,
  };
}

function response(expected: Expected, outcome: Exclude<Outcome, { kind: 'deleted' }>): pb.AppendResp {
  if (outcome.kind === 'wrongVersion') {
    const wrong = new pb.AppendResp.WrongExpectedVersion();
    if (outcome.current < 0n) wrong.setCurrentNoStream(empty());
    else wrong.setCurrentRevision(String(outcome.current));
    if (expected === 'any') wrong.setExpectedAny(empty());
    else if (expected === 'no_stream') wrong.setExpectedNoStream(empty());
    else if (expected === 'stream_exists') wrong.setExpectedStreamExists(empty());
    else wrong.setExpectedRevision(String(expected));
    return new pb.AppendResp().setWrongExpectedVersion(wrong);
  }
  const success = new pb.AppendResp.Success();
  if (outcome.revision < 0n) success.setNoStream(empty());
  else success.setCurrentRevision(String(outcome.revision));
  if (outcome.position === undefined) success.setNoPosition(empty());
  else {
    const position = String(outcome.position);
    success.setPosition(
      new pb.AppendResp.Position().setCommitPosition(position).setPreparePosition(position),
    );
  }
  return new pb.AppendResp().setSuccess(success);
}
