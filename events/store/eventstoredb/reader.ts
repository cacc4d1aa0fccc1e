import {
  END,
  START,
  StreamNotFoundError,
  type AllStreamResolvedEvent,
  type Direction,
  type ReadPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { createAttempts, type Attempts } from './attempts.ts';
import type { Connections } from './connections.ts';
import { endedEarly, Silence } from './errors.ts';
import { openInbox } from './inbox.ts';
import { fromPosition } from './positions.ts';
import { positionOf, toRecorded } from './recorded.ts';
import type { Position, ReadAllOptions, ReadStreamOptions, RecordedEvent } from '../store.ts';

type Source =
  | ReturnType<Connections['current']['readStream']>
  | ReturnType<Connections['current']['readAll']>;

/** The number of events that are requested beyond a limit, because some are the server's own or of other types. */
const SPARE = 32;

/** The most events that a read holds in memory, each up to 1 MiB. */
const AT_ONCE = 64;

export type Reader = ReturnType<typeof createReader>;

/**
 * Reads from the leader, one event at a time as the caller takes them. After a break it continues at the next event.
 */
export function createReader(connections: Connections, signal: AbortSignal) {
  const newAttempts = (): Attempts => createAttempts(connections.limits);

  const note = ({ stream, revision, metadata: { hash } }: RecordedEvent): void => {
    if (isHash(hash)) connections.heads.set(stream, { revision, hash });
  };

  /**
   * One call of the server, from its beginning to its end or break. It yields together all events that have arrived.
   */
  async function* pass<T>(
    attempts: Attempts,
    open: (connection: Connections['current']) => Source,
  ): AsyncGenerator<readonly T[]> {
    const connection = connections.current;
    signal.throwIfAborted();
    const source = open(connection);
    const inbox = openInbox<T>(source, signal, () => source.cancel());
    try {
      for (;;) {
        const come = await inbox.next(attempts.patience());
        if (come.length === 0) return;
        yield come;
      }
    } catch (error) {
      if (error instanceof Silence) connections.silent(connection);
      throw error;
    } finally {
      inbox.close();
    }
  }

  const passOfAll = (attempts: Attempts, direction: Direction, fromPosition: ReadPosition, count: number) =>
    pass<AllStreamResolvedEvent>(attempts, (connection) =>
      connection.readAll({ ...options(direction, count), fromPosition }, { highWaterMark: AT_ONCE }),
    );

  async function* stream(
    name: string,
    { direction = 'forwards', from, limit = Infinity }: ReadStreamOptions = {},
    attempts = newAttempts(),
  ): AsyncGenerator<RecordedEvent> {
    const forwards = direction === 'forwards';
    let next = from;
    if (!forwards && from !== undefined) {
      // A position beyond the end would make the server search without end.
      for await (const head of stream(name, { direction, limit: 1 }, attempts)) {
        if (head.revision < from) next = head.revision;
      }
    }
    if (forwards && next !== undefined && next < 0n) next = 0n;
    let left = limit;
    let last: RecordedEvent | undefined;
    while (left > 0 && (next === undefined || next >= 0n)) {
      const start = next ?? (forwards ? START : END);
      const come = pass<ResolvedEvent>(attempts, (connection) =>
        connection.readStream(
          name,
          { ...options(direction, left), fromRevision: start },
          { highWaterMark: AT_ONCE },
        ),
      );
      try {
        for await (const page of come) {
          for (const resolved of page) {
            const event = toRecorded(resolved, positionOf(resolved));
            if (event === undefined) continue;
            // Backwards from the end, the first event is the head; forwards, the last event before the stream ends is.
            if (start === END) note(event);
            last = event;
            next = event.revision + (forwards ? 1n : -1n);
            left--;
            yield event;
          }
          attempts.progress();
        }
        if (forwards && left > 0 && last !== undefined) note(last);
        return;
      } catch (error) {
        if (error instanceof StreamNotFoundError) return;
        await attempts.again(error);
      }
    }
  }

  /** @param onOther is called with everything that is no event of ours: the server's own events in the same order. */
  async function* all(
    { direction = 'forwards', after, limit = Infinity, types }: ReadAllOptions = {},
    onOther: (resolved: AllStreamResolvedEvent) => void = () => undefined,
  ): AsyncGenerator<RecordedEvent> {
    if (after !== undefined) fromPosition(after);
    const forwards = direction === 'forwards';
    const attempts = newAttempts();
    // Reads up to the present end only. Otherwise a busy writer would keep a read from ending.
    const until = forwards ? await end(attempts) : undefined;
    let seen = after;
    let left = limit;
    const isLeft = (position: Position): boolean =>
      seen === undefined || (forwards ? position > seen : position < seen);
    const isDone = (): boolean => left <= 0 || (forwards && (until === undefined || !isLeft(until)));
    while (!isDone()) {
      const count = left + SPARE;
      const start = seen === undefined ? (forwards ? START : END) : startAt(seen, forwards);
      let received = 0;
      try {
        for await (const page of passOfAll(attempts, direction, start, count)) {
          for (const resolved of page) {
            received++;
            const position = positionOf(resolved);
            if (!isLeft(position)) continue;
            if (until !== undefined && position > until) return;
            seen = position;
            const event = toRecorded(resolved, position);
            if (event === undefined) onOther(resolved);
            else if (types?.includes(event.type) ?? true) {
              yield event;
              if (--left === 0) return;
            }
          }
          attempts.progress();
        }
        if (received >= count) continue;
        if (until === undefined || !isLeft(until)) return;
        throw endedEarly();
      } catch (error) {
        await attempts.again(error);
      }
    }
  }

  /** The position of the last event of all, including the server's own; undefined in an empty store. */
  async function end(attempts = newAttempts()): Promise<Position | undefined> {
    for (;;) {
      try {
        for await (const [resolved] of passOfAll(attempts, 'backwards', END, 1)) return positionOf(resolved!);
        return undefined;
      } catch (error) {
        await attempts.again(error);
      }
    }
  }

  /** Looks beyond a position: where the record ends, and whether it has events of these types up to there. */
  async function beyond(
    place: Position | undefined,
    types: readonly string[] | undefined,
  ): Promise<{ end: Position | undefined; wanted: boolean }> {
    let last: Position | undefined;
    const noteEnd = (position: Position): void => void (last ??= position);
    for await (const event of all({ direction: 'backwards' }, (other) => noteEnd(positionOf(other)))) {
      noteEnd(event.position);
      if (place !== undefined && event.position <= place) break;
      if (types?.includes(event.type) ?? true) return { end: last, wanted: true };
    }
    return { end: last, wanted: false };
  }

  return { stream, all, end, beyond };
}

/** The options of a call that reads. */
const options = (direction: Direction, count: number) => ({
  direction,
  maxCount: Math.min(count, Number.MAX_SAFE_INTEGER),
  requiresLeader: true,
});

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * The place as a start for the server. Read backwards from the place of a checkpoint, whose prepare position is 0, the
 * server would leave out the event that ends there.
 */
function startAt(place: Position, forwards: boolean): ReturnType<typeof fromPosition> {
  const { commit, prepare } = fromPosition(place);
  return { commit, prepare: forwards ? prepare : commit };
}
