import { randomUUID } from 'node:crypto';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { Context } from './context.ts';
import type { StoredEvent } from './database.ts';
import { filterOf } from './filter.ts';
import type { Outgoing } from './outgoing.ts';
import { nextEvent, streamName } from './protocol.ts';
import { refusals } from './refusals.ts';

type Options = pb.ReadReq.Options;

/** The server buffers so many live events for a subscriber; beyond them it goes back to catching up. */
const MAX_BEHIND = 32;

/** A catch-up subscription to a stream or to `$all`: confirmed, then all events after its start, for ever. */
export async function subscribe(context: Context, options: Options, outgoing: Outgoing): Promise<void> {
  const { database, faults } = context;
  const stream = options.getStream();
  const name = streamName(stream?.getStreamIdentifier());
  if (stream !== undefined && database.isTombstoned(name)) throw refusals.streamDeleted(name);
  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? undefined : filterOf(filterOptions);
  if (filter !== undefined && !(filter.checkpointInterval > 0)) {
    throw refusals.invalidArgument('the checkpoint interval is not positive');
  }
  const wanted = stream === undefined ? () => true : inStream(context, name, stream);
  let next = startOf(context, options);

  const stops = [
    faults.onNow('endSubscriptions', () => outgoing.end()),
    faults.onNow('stallSubscriptions', () => outgoing.stall()),
  ];
  outgoing.gone.addEventListener('abort', () => stops.forEach((stop) => stop()));

  await outgoing.send(
    new pb.ReadResp().setConfirmation(
      new pb.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()),
    ),
  );
  await outgoing.faultHere();
  let looked = 0;
  let live = false;
  while (!outgoing.gone.aborted) {
    if (live && database.head - next > MAX_BEHIND) {
      live = false;
      await outgoing.send(new pb.ReadResp().setFellBehind(new pb.ReadResp.FellBehind()));
    }
    while (next < database.head && !outgoing.gone.aborted) {
      const event = database.at(next++);
      if (wanted(event) && filter?.matches(event) !== false) {
        await outgoing.event(event);
        await outgoing.faultHere();
      }
      if (filter !== undefined && ++looked === filter.checkpointInterval) {
        looked = 0;
        await outgoing.send(checkpoint(event));
      }
    }
    if (!live) {
      live = true;
      await outgoing.send(new pb.ReadResp().setCaughtUp(new pb.ReadResp.CaughtUp()));
    }
    if (next === database.head) await nextEvent(database.commits, 'commit', outgoing.gone);
  }
}

/** The ordinal of the first event to look at: in `$all` what is after the position that is named. */
function startOf({ database }: Context, options: Options): number {
  const from = options.getAll() ?? options.getStream()!;
  if (from.hasEnd()) return database.head;
  const position = options.getAll()?.getPosition();
  return position === undefined ? 0 : database.ordinalOf(BigInt(position.getCommitPosition()) + 1n);
}

/** After the revision that is named, without what the stream's metadata hides at the start. */
function inStream(
  { database }: Context,
  name: string,
  from: pb.ReadReq.Options.StreamOptions,
): (event: StoredEvent) => boolean {
  const after = from.hasRevision() ? BigInt(from.getRevision()) : -1n;
  const readable = database.readable(name);
  // Nothing may be readable because the first events are on their way to disk: nothing is hidden then.
  const hidden = readable === undefined ? database.isSoftDeleted(name) : readable.length === 0;
  const first = readable?.[0]?.revision ?? (hidden ? database.currentRevision(name) + 1n : 0n);
  return (event) => event.stream === name && event.revision > after && event.revision >= first;
}

function checkpoint(event: StoredEvent): pb.ReadResp {
  const position = String(event.position);
  return new pb.ReadResp().setCheckpoint(
    new pb.ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition(position),
  );
}
