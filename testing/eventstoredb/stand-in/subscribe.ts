import { randomUUID } from 'node:crypto';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import { Checkpoints, isAfter, placeOf, START, type Place } from './checkpoints.ts';
import type { Context } from './context.ts';
import type { StoredEvent } from './stored-event.ts';
import { DEFAULT_WINDOW, filterOf } from './filter.ts';
import type { Outgoing } from './outgoing.ts';
import { nextEvent, streamName } from './protocol.ts';
import { refusals } from './refusals.ts';

type Options = pb.ReadReq.Options;

/** The number of live events that the server buffers for a subscriber. */
const MAX_BEHIND = 32;

/** The most events in a page of history. */
const PAGE = 32;

/** What a subscription sends, and where it begins. */
interface Course {
  readonly wanted: (event: StoredEvent) => boolean;
  /** The number of events in one page. */
  readonly window: number;
  readonly checkpoints: Checkpoints | undefined;
  /** The ordinal of the first event to look at. */
  readonly next: number;
  /** The subscription begins at the end or beyond it, without reading history. */
  readonly live: boolean;
}

/** A catch-up subscription to a stream or to `$all`: a confirmation, then all events after its start. */
export async function subscribe(context: Context, options: Options, outgoing: Outgoing): Promise<void> {
  const { database, faults } = context;
  const stream = options.getStream();
  const name = streamName(stream?.getStreamIdentifier());
  if (stream !== undefined && database.isTombstoned(name)) throw refusals.streamDeleted(name);
  const course = stream === undefined ? throughAll(context, options) : throughStream(context, name, stream);

  const stops = [
    faults.onNow('endSubscriptions', () => outgoing.end()),
    faults.onNow('stallSubscriptions', () => outgoing.stall()),
  ];
  outgoing.gone.addEventListener('abort', () => stops.forEach((stop) => stop()));

  const { version } = context;
  if (version === '23.10' && Number.isNaN(course.next)) throw refusals.invalidPosition(version);
  await outgoing.send(
    new pb.ReadResp().setConfirmation(
      new pb.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()),
    ),
  );
  await outgoing.faultHere();
  if (Number.isNaN(course.next)) throw refusals.invalidPosition(version);
  await follow(context, course, outgoing);
}

async function follow({ database, version }: Context, course: Course, outgoing: Outgoing): Promise<void> {
  const { wanted, window, checkpoints } = course;
  let { next, live } = course;
  const deliver = async (event: StoredEvent): Promise<void> => {
    checkpoints?.sent(event);
    await outgoing.event(event);
    await outgoing.faultHere();
  };
  const tell = async (checkpoint: pb.ReadResp | undefined): Promise<void> => {
    if (checkpoint !== undefined) await outgoing.send(checkpoint);
  };

  const catchUp = async (): Promise<void> => {
    let began: Place = { commit: 0n, prepare: 0n };
    for (let atEnd = false; !atEnd && !outgoing.gone.aborted;) {
      let [looked, sent] = [0, 0];
      for (; next < database.head && looked < window && sent < PAGE; looked++) {
        const event = database.at(next++);
        if (!wanted(event)) continue;
        sent++;
        await deliver(event);
      }
      atEnd = looked < window && sent < PAGE;
      await tell(checkpoints?.afterPage(began, looked, atEnd));
      began = { commit: next < database.head ? database.at(next).position : database.end, prepare: 0n };
    }
  };

  if (!live) await catchUp();
  live = true;
  await outgoing.send(new pb.ReadResp().setCaughtUp(new pb.ReadResp.CaughtUp()));
  while (!outgoing.gone.aborted) {
    if (database.head - next > MAX_BEHIND) {
      if (version === '23.10') throw refusals.consumerTooSlow();
      // Clients are not told that a subscription fell behind.
      await tell(checkpoints?.tell());
      await catchUp();
      await outgoing.send(new pb.ReadResp().setCaughtUp(new pb.ReadResp.CaughtUp()));
    }
    while (next < database.head && !outgoing.gone.aborted) {
      const event = database.at(next++);
      if (wanted(event)) await deliver(event);
      await tell(checkpoints?.afterLive(event));
    }
    if (next === database.head) await nextEvent(database.commits, 'commit', outgoing.gone);
  }
}

function throughAll({ database, version }: Context, options: Options): Course {
  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? undefined : filterOf(filterOptions);
  if (filter !== undefined && !(filter.checkpointInterval > 0)) {
    throw refusals.invalidArgument('the checkpoint interval is not positive');
  }
  const from = options.getAll()!;
  const position = from.getPosition();
  const end = from.hasEnd() || position?.getCommitPosition() === String(2n ** 64n - 1n);
  const start: Place =
    position === undefined
      ? START
      : { commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) };
  // The server accepts a position beyond the end: events before that position are never sent.
  const beyond = !end && start.commit >= (database.head === 0 ? 0n : database.at(database.head - 1).position);
  const checkpoints =
    filter === undefined ? undefined : new Checkpoints(version, filter.checkpointInterval, start);
  return {
    wanted: (event) => (end || isAfter(placeOf(event), start)) && filter?.matches(event) !== false,
    window: filter?.window ?? DEFAULT_WINDOW,
    checkpoints,
    next: end
      ? database.head
      : database.isBoundary(start.commit < 0n ? 0n : start.commit)
        ? database.ordinalOf(start.commit)
        : Number.NaN,
    live: end || (beyond && start !== START),
  };
}

/** Begins after the given revision, without what the stream's metadata hides at the start. */
function throughStream({ database }: Context, name: string, from: pb.ReadReq.Options.StreamOptions): Course {
  const after = from.hasRevision() ? BigInt(from.getRevision()) : -1n;
  const readable = database.readable(name);
  // While the first events are on their way to disk nothing is readable, but nothing is hidden.
  const hidden = readable === undefined ? database.isSoftDeleted(name) : readable.length === 0;
  const first = readable?.[0]?.revision ?? (hidden ? database.currentRevision(name) + 1n : 0n);
  return {
    wanted: (event) => event.stream === name && event.revision > after && event.revision >= first,
    window: Infinity,
    checkpoints: undefined,
    next: from.hasEnd() ? database.head : 0,
    live: from.hasEnd(),
  };
}
