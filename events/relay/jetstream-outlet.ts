import {
  DiscardPolicy,
  Events,
  headers as createHeaders,
  nanos,
  NatsError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type KV,
  type NatsConnection,
  type PubAck,
  type StreamInfo,
} from 'nats';
import { BelegError } from '../errors.ts';
import { readJson } from '../json.ts';
import { isUnreadable } from '../nats/bucket.ts';
import { apiCode, ensureStream, FREE_SUBJECTS, NO_ROOM, SubjectsTaken } from '../nats/ensure-stream.ts';
import type { Position } from '../store/store.ts';
import { unlessAborted } from '../timeout-and-abort.ts';
import { POSITION_HEADER } from './event-message.ts';
import { KEPT_MS, keptSince } from './kept-since.ts';
import { NO_MESSAGE, Note, NOTE_BUCKET, NOTE_KEY } from './relay-note.ts';
import { EVENTS_STREAM, EVENTS_SUBJECT, type Outlet, type OutgoingEvent } from './outlet.ts';
import { given } from '../given.ts';

/** Milliseconds within which JetStream recognises a repeated message by its id. */
const DUPLICATE_WINDOW_MS = 2 * 60 * 1000;
/** The time limit for each request and each acknowledgement. */
const TIMEOUT_MS = 5000;

interface JetStreamOutletOptions {
  /** The number of servers that keep a copy: 1, 3 or 5. Default 1, or what an operator has set on the stream. */
  replicas?: number | undefined;
  /** The most bytes of messages that are kept; the oldest are dropped first. Absent: no bound. */
  maxBytes?: number | undefined;
  /** Called with a message of somebody else that stands behind those of the relay. Nothing here reads it; subscribers get it. */
  onForeign?: (message: { readonly subject: string; readonly sequence: number }) => void;
}

/**
 * What a relay knows since it began. Each `begin` starts a new session: work that is still under way changes only the
 * old session.
 */
interface Session {
  sequence: number;
  position: Position | undefined;
  foreign: number;
  noteRevision: number;
}

/**
 * Publishes to the JetStream stream `BELEG_EVENTS`, at least once and in order. The stream is created, or its settings
 * are updated, here and each time that a relay begins; when a relay begins, a damaged stream is also removed and made
 * again. Rejects with `SERVICE_UNAVAILABLE`.
 *
 * Only the relay may publish below `beleg.v1.evt`: each message names the sequence and the message that it follows, so
 * that a relay that has been overtaken cannot put anything between, nor leave anything out.
 */
export async function openJetStreamOutlet(
  connection: NatsConnection,
  options: JetStreamOutletOptions = {},
): Promise<Outlet> {
  const settings = { timeout: TIMEOUT_MS, checkAPI: false };
  const jetstream = connection.jetstream(settings);
  const manager = await mapped(() => connection.jetstreamManager(settings));
  await mapped(() => ensureEvents(manager, options));
  let notes: KV;
  let session: Session | undefined;
  let since: string | undefined;
  /** Aborts when the current connection breaks; replaced after each reconnection. */
  let broken = new AbortController();

  /**
   * The client drops messages that are published between a break and its reconnection, and acknowledgements of earlier
   * ones do not arrive either. So nobody need wait for them any longer.
   */
  const watch = async (): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type === Events.Disconnect) broken.abort(brokenConnection());
      else if (type === Events.Reconnect) broken = new AbortController();
    }
  };
  void watch();

  const connected = async <T>(work: () => Promise<T>): Promise<T> => {
    broken.signal.throwIfAborted();
    return mapped(() => unlessAborted(work(), broken.signal));
  };

  const begun = (): Session => {
    if (session === undefined) throw new TypeError('begin() comes before events are published');
    return session;
  };

  /** Sends an event. If another relay has published in between, neither this event nor any later one is accepted. */
  const send = (
    event: OutgoingEvent,
    previous: OutgoingEvent | undefined,
    after: number,
  ): Promise<PubAck> => {
    const headers = createHeaders();
    for (const [name, value] of Object.entries(event.headers)) headers.set(name, value);
    headers.set(POSITION_HEADER, event.position);
    return jetstream.publish(event.subject, event.data, {
      msgID: event.id,
      headers,
      expect: {
        streamName: EVENTS_STREAM,
        lastSequence: after,
        // The sequence alone would accept this event if another message had replaced the previous one.
        ...given({ lastMsgID: previous?.id }),
      },
    });
  };

  const readLastMessage = async (): Promise<
    { sequence: number; position: Position | undefined } | undefined
  > => {
    try {
      const message = await manager.streams.getMessage(EVENTS_STREAM, { last_by_subj: EVENTS_SUBJECT });
      const position = message.header.get(POSITION_HEADER);
      if (position === '') options.onForeign?.({ subject: message.subject, sequence: message.seq });
      return { sequence: message.seq, position: position === '' ? undefined : (position as Position) };
    } catch (error) {
      if (apiCode(error) === NO_MESSAGE) return undefined;
      throw error;
    }
  };

  /**
   * Whether the stream's last message is found. If its file came back damaged, nats-server 2.9 still accepts messages,
   * but subscribers get none of them, nor any others after the damage. A single unreadable message among readable ones
   * is not noticed here.
   */
  const givesBack = async ({ state }: StreamInfo): Promise<boolean> => {
    if (state.messages === 0) return true;
    try {
      await manager.streams.getMessage(EVENTS_STREAM, { seq: state.last_seq });
      return true;
    } catch (error) {
      if (apiCode(error) === NO_MESSAGE || isUnreadable(error)) return false;
      throw error;
    }
  };

  const readNote = async (): Promise<{ value: Note | undefined; revision: number }> => {
    notes = await jetstream.views.kv(NOTE_BUCKET, {
      history: 1,
      storage: StorageType.File,
      // With direct reads any replica may answer, even one that lags behind.
      allow_direct: false,
      ...given({ replicas: options.replicas }),
    });
    const entry = await notes.get(NOTE_KEY);
    if (entry === null) return { value: undefined, revision: 0 };
    return { value: readJson(Note, entry.string()), revision: entry.revision };
  };

  /**
   * Writes the note. A note that cannot be read, because the bucket came back damaged, is overwritten: nobody relies on
   * it.
   */
  const writeNote = async (of: Session): Promise<void> => {
    const note: Note = { position: of.position!, sequence: of.sequence, foreign: of.foreign };
    const write = (expected?: { previousSeq: number }) => notes.put(NOTE_KEY, JSON.stringify(note), expected);
    try {
      of.noteRevision = await write({ previousSeq: of.noteRevision });
    } catch (error) {
      if (apiCode(error) !== WRONG_LAST_SEQUENCE || (await notes.get(NOTE_KEY)) !== null) throw error;
      of.noteRevision = await write();
    }
  };

  return {
    begin: (stands = async () => true) =>
      connected(async () => {
        // Note, stream and message are read in this order: each may be newer than the previous one, and the newest
        // counts.
        const note = await readNote();
        let stream = await ensureEvents(manager, options);
        let last = await readLastMessage();
        if (!(await givesBack(stream)) || isCutShort(note.value, stream, last?.position)) {
          // The stream is filled again from the record.
          await manager.streams.delete(EVENTS_STREAM);
          stream = await ensureEvents(manager, options);
          last = undefined;
        }
        const sequence = Math.max(stream.state.last_seq, last?.sequence ?? 0);
        const noted = sequence >= (note.value?.sequence ?? 0) ? note.value?.position : undefined;
        // Nothing of the relay's own stands behind a message of others, because the relay begins again there.
        const isForeign = last !== undefined && last.position === undefined;
        const more = !isForeign ? 0 : note.value === undefined ? 1 : sequence - note.value.sequence;
        const foreign = (note.value?.foreign ?? 0) + Math.max(0, more);
        let position: Position | undefined;
        for (const place of [last?.position, noted]) {
          if (place === undefined || (position !== undefined && place <= position)) continue;
          if (await stands(place)) position = place;
        }
        session = { sequence, position, foreign, noteRevision: note.revision };
        return position;
      }),
    publish: (events) =>
      connected(async () => {
        const current = begun();
        // All messages are sent before the first is acknowledged. If one fails, the others are still waited for.
        const acknowledged = await Promise.allSettled(
          events.map((event, i) => send(event, events[i - 1], current.sequence + i)),
        );
        for (const [i, outcome] of acknowledged.entries()) {
          if (outcome.status === 'rejected') throw outcome.reason;
          // The server has known the id before. This is correct only if the event has this sequence.
          if (outcome.value.seq !== current.sequence + 1) throw new BelegError('WRONG_EXPECTED_REVISION');
          current.sequence++;
          current.position = events[i]!.position;
        }
        await writeNote(current);
      }),
    get published() {
      return given({ kept_since: since, foreign: session?.foreign || undefined });
    },
    isWhole: () =>
      connected(async () => {
        if (session === undefined) return true;
        const { sequence, noteRevision } = session;
        // A missing stream or note is created again here, and its sequence is then lower than the published one.
        const stream = await ensureEvents(manager, options);
        since = keptSince(stream);
        if (stream.state.last_seq < sequence || !(await givesBack(stream))) return false;
        return noteRevision === 0 || (await readNote()).revision >= noteRevision;
      }),
    advance: (position) =>
      connected(async () => {
        const current = begun();
        if (current.position !== undefined && position <= current.position) return;
        current.position = position;
        await writeNote(current);
      }),
  };
}

/**
 * Whether the server has cut off messages: the stream has fewer than noted, although its last message is of a later
 * event. This happens if the server notices damage only when it takes a message. It then drops everything after the
 * damage, and appends the new message there.
 */
function isCutShort(note: Note | undefined, { state }: StreamInfo, last: Position | undefined): boolean {
  return note !== undefined && last !== undefined && state.last_seq < note.sequence && last > note.position;
}

function brokenConnection(): BelegError {
  return new BelegError('SERVICE_UNAVAILABLE', { detail: 'the connection to NATS is lost' });
}

/** The least size of a stream; a smaller one would be of no use. */
const LEAST_BYTES = 64 * 1024 * 1024;

/**
 * Returns the stream, which is created if necessary. The server reserves the bytes that a stream may have. If it has no
 * room for them, the stream gets the largest half, quarter … that fits, so that its size always has a bound.
 */
async function ensureEvents(
  manager: JetStreamManager,
  { replicas, maxBytes }: JetStreamOutletOptions,
): Promise<StreamInfo> {
  try {
    return await ensureStream(
      manager,
      {
        name: EVENTS_STREAM,
        subjects: [EVENTS_SUBJECT],
        ...given({ num_replicas: replicas, max_bytes: maxBytes }),
      },
      {
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        // The events of the stream are copies, so the oldest may be dropped. The relay needs only the last sequence,
        // which stays.
        discard: DiscardPolicy.Old,
        max_age: nanos(KEPT_MS),
        duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      },
    );
  } catch (error) {
    const half = Math.floor((maxBytes ?? 0) / 2);
    if (apiCode(error) !== NO_ROOM || half < LEAST_BYTES) throw error;
    return ensureEvents(manager, { replicas, maxBytes: half });
  }
}

// The codes in nats-server's server/errors.json.
const WRONG_LAST_MESSAGE = 10070;
const WRONG_LAST_SEQUENCE = 10071;

/** Converts the client's faults to `BelegError`s. Only this function does that. */
async function mapped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SubjectsTaken)
      throw new BelegError('SERVICE_UNAVAILABLE', { detail: `${cause.message}: ${FREE_SUBJECTS}`, cause });
    if (!(cause instanceof NatsError)) throw cause;
    const code = apiCode(cause);
    const overtaken = code === WRONG_LAST_SEQUENCE || code === WRONG_LAST_MESSAGE;
    throw new BelegError(overtaken ? 'WRONG_EXPECTED_REVISION' : 'SERVICE_UNAVAILABLE', { cause });
  }
}
