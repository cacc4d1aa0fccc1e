import { setTimeout as sleep } from 'node:timers/promises';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { Context } from './context.ts';
import type { StoredEvent } from './stored-event.ts';
import { refusalOf } from './faulty.ts';
import { filterOf } from './filter.ts';
import { Outgoing, type ReadCall } from './outgoing.ts';
import { streamIdentifier, streamName } from './protocol.ts';
import { refusals } from './refusals.ts';
import { subscribe } from './subscribe.ts';

type Options = pb.ReadReq.Options;

const { ReadDirection } = pb.ReadReq.Options;

/** `Streams.Read`: a stream or `$all`, in either direction, or a subscription. Links are not resolved. */
export async function read(context: Context, call: ReadCall): Promise<void> {
  try {
    const options = call.request.getOptions();
    if (options === undefined) throw refusals.invalidArgument('no options');
    const subscription = options.hasSubscription();
    const fault = context.faults.take(subscription ? 'subscribe' : 'read');
    const refusal = refusalOf(fault);
    if (refusal !== undefined) throw refusal;
    if (fault?.kind === 'delay') await sleep(fault.ms);
    const outgoing = new Outgoing(call, context, fault);
    if (subscription) return await subscribe(context, options, outgoing);
    if (fault !== undefined) await outgoing.faultHere();
    await readOnce(context, options, outgoing);
    await outgoing.finish();
  } catch (error) {
    call.emit('error', error);
  }
}

async function readOnce(context: Context, options: Options, outgoing: Outgoing): Promise<void> {
  const stream = options.getStream();
  if (stream !== undefined) {
    const name = streamName(stream.getStreamIdentifier());
    if (context.database.isTombstoned(name)) throw refusals.streamDeleted(name);
    if (context.database.readable(name) === undefined) {
      const missing = new pb.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(name));
      return outgoing.send(new pb.ReadResp().setStreamNotFound(missing));
    }
  }
  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? undefined : filterOf(filterOptions);
  const events = stream === undefined ? allEvents(context, options) : streamEvents(context, options, stream);
  let left = BigInt(options.getCount());
  // A read of no events fails for a stream, and never ends for `$all`.
  if (left === 0n) {
    if (stream !== undefined) throw refusals.readResult('ReadStream', 'Error');
    return outgoing.stall();
  }
  for (const event of events) {
    if (left === 0n || outgoing.gone.aborted) return;
    if (filter !== undefined && !filter.matches(event)) continue;
    await outgoing.event(event);
    left--;
  }
  // The fault may come after the last event.
  await outgoing.faultHere();
}

/** The given revision is included in both directions. A forward read from the end is an error, not empty. */
function* streamEvents(
  { database }: Context,
  options: Options,
  from: pb.ReadReq.Options.StreamOptions,
): Iterable<StoredEvent> {
  const events = database.readable(streamName(from.getStreamIdentifier()))!;
  const backwards = options.getReadDirection() === ReadDirection.BACKWARDS;
  if (backwards) events.reverse();
  if (from.hasEnd()) {
    if (!backwards) throw refusals.readResult('ReadStream', 'Error');
    yield* events;
    return;
  }
  const revision = from.hasRevision() ? BigInt(from.getRevision()) : 0n;
  for (const event of events) {
    if (backwards ? event.revision <= revision : event.revision >= revision) yield event;
  }
}

/**
 * A forward read includes the event at the position; a backward one does not, because a position is before its event.
 * Within an event there is no position; beyond the end a forward read is empty and a backward one an error. Backwards,
 * if the prepare position is less than the commit position, the event before is left out.
 */
function* allEvents({ database, version }: Context, options: Options): Iterable<StoredEvent> {
  const from = options.getAll()!;
  const backwards = options.getReadDirection() === ReadDirection.BACKWARDS;
  const head = database.head;
  const position = from.getPosition();
  const commit = position === undefined ? undefined : BigInt(position.getCommitPosition());
  const prepare = BigInt(position?.getPreparePosition() ?? 0);
  let start = from.hasEnd() ? head : 0;
  if (commit === 2n ** 64n - 1n) start = head;
  else if (commit !== undefined) {
    if (prepare > commit) throw refusals.unknown('Exception was thrown by handler.');
    if (commit > database.end && backwards) throw refusals.readResult('ReadAll', 'Error');
    if (!database.isBoundary(commit)) {
      throw refusals.readResult('ReadAll', version === '23.10' ? 'Error' : 'InvalidPosition');
    }
    start = database.ordinalOf(commit);
    if (backwards && prepare < commit) start--;
  }
  if (backwards) for (let ordinal = start - 1; ordinal >= 0; ordinal--) yield database.at(ordinal);
  else for (let ordinal = start; ordinal < head; ordinal++) yield database.at(ordinal);
}
