import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  StreamNotFoundError,
  type AllStreamResolvedEvent,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { Attempts } from './attempts.ts';
import type { Connections } from './connections.ts';
import { EndedEarly, Silence } from './errors.ts';
import { Inbox } from './inbox.ts';
import { fromPosition } from './positions.ts';
import { positionOf, toRecorded } from './recorded.ts';
import type { Position, ReadAllOptions, ReadStreamOptions, RecordedEvent } from '../store.ts';

type Source =
  | ReturnType<Connections['current']['readStream']>
  | ReturnType<Connections['current']['readAll']>;

/** Events to ask for beyond a limit: some that come are the server's own, or of other types. */
const SPARE = 32;

/** Events that a read may hold ready, of up to 1 MiB each. */
const AT_ONCE = 64;

/** Reads from the leader, one event at a time as the caller takes them. A break in the middle is resumed there. */
export class Reader {
  readonly #connections: Connections;
  readonly #signal: AbortSignal;

  constructor(connections: Connections, signal: AbortSignal) {
    this.#connections = connections;
    this.#signal = signal;
  }

  async *stream(
    name: string,
    { direction = 'forwards', from, limit = Infinity }: ReadStreamOptions = {},
    attempts = new Attempts(this.#connections.limits),
  ): AsyncGenerator<RecordedEvent> {
    const step = direction === 'forwards' ? 1n : -1n;
    let next = from;
    if (direction === 'backwards' && from !== undefined) {
      // Beyond the end a server may look for what is not there.
      for await (const head of this.stream(name, { direction, limit: 1 }, attempts)) {
        if (head.revision < from) next = head.revision;
      }
    }
    if (direction === 'forwards' && next !== undefined && next < 0n) next = 0n;
    let left = limit;
    let last: RecordedEvent | undefined;
    while (left > 0 && (next === undefined || next >= 0n)) {
      const start = next ?? (direction === 'forwards' ? START : END);
      const pass = this.#pass(attempts, (connection) =>
        connection.readStream<never>(
          name,
          {
            direction: direction === 'forwards' ? FORWARDS : BACKWARDS,
            fromRevision: start,
            maxCount: Math.min(left, Number.MAX_SAFE_INTEGER),
            requiresLeader: true,
          },
          { highWaterMark: AT_ONCE },
        ),
      );
      try {
        for await (const come of pass) {
          for (const resolved of come) {
            const event = toRecorded(resolved, positionOf(resolved));
            if (event === undefined) continue;
            // Backwards from the end, the first one is the head; forwards, the last one before the stream ends.
            if (start === END) this.#note(event);
            last = event;
            next = event.revision + step;
            left--;
            yield event;
          }
          attempts.progress();
        }
        if (direction === 'forwards' && left > 0 && last !== undefined) this.#note(last);
        return;
      } catch (error) {
        if (error instanceof StreamNotFoundError) return;
        await attempts.again(error);
      }
    }
  }

  /** @param onOther is given what is no event of ours: what the server keeps for itself in the same order */
  async *all(
    { direction = 'forwards', after, limit = Infinity, types }: ReadAllOptions = {},
    onOther: (resolved: AllStreamResolvedEvent) => void = () => undefined,
  ): AsyncGenerator<RecordedEvent> {
    if (after !== undefined) fromPosition(after);
    const forwards = direction === 'forwards';
    const attempts = new Attempts(this.#connections.limits);
    // What is there now: a reader does not chase a busy writer for ever.
    const until = forwards ? await this.end(attempts) : undefined;
    let seen = after;
    let left = limit;
    const isLeft = (position: Position): boolean =>
      seen === undefined || (forwards ? position > seen : position < seen);
    const isDone = (): boolean => left <= 0 || (forwards && (until === undefined || !isLeft(until)));
    while (!isDone()) {
      const count = left + SPARE;
      const start = seen === undefined ? (forwards ? START : END) : startAt(seen, forwards);
      const pass = this.#pass<AllStreamResolvedEvent>(attempts, (connection) =>
        connection.readAll(
          {
            direction: forwards ? FORWARDS : BACKWARDS,
            fromPosition: start,
            maxCount: Math.min(count, Number.MAX_SAFE_INTEGER),
            requiresLeader: true,
          },
          { highWaterMark: AT_ONCE },
        ),
      );
      let received = 0;
      try {
        for await (const come of pass) {
          for (const resolved of come) {
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
        throw new EndedEarly();
      } catch (error) {
        await attempts.again(error);
      }
    }
  }

  /** The position of the last event of all, the server's own included; undefined in a store without any. */
  async end(attempts = new Attempts(this.#connections.limits)): Promise<Position | undefined> {
    for (;;) {
      try {
        const pass = this.#pass(attempts, (connection) =>
          connection.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true }),
        );
        for await (const [resolved] of pass) return positionOf(resolved!);
        return undefined;
      } catch (error) {
        await attempts.again(error);
      }
    }
  }

  /** What stands beyond a place: where the record ends, and whether any of it is of these types. */
  async beyond(
    place: Position | undefined,
    types: readonly string[] | undefined,
  ): Promise<{ end: Position | undefined; wanted: boolean }> {
    let end: Position | undefined;
    const note = (position: Position): void => void (end ??= position);
    for await (const event of this.all({ direction: 'backwards' }, (other) => note(positionOf(other)))) {
      note(event.position);
      if (place !== undefined && event.position <= place) break;
      if (types?.includes(event.type) ?? true) return { end, wanted: true };
    }
    return { end, wanted: false };
  }

  /** One call of the server, from its beginning to its end or its break: whatever has come, at once. */
  async *#pass<T extends ResolvedEvent | AllStreamResolvedEvent>(
    attempts: Attempts,
    open: (connection: Connections['current']) => Source,
  ): AsyncGenerator<readonly T[]> {
    const connection = this.#connections.current;
    this.#signal.throwIfAborted();
    const source = open(connection);
    const inbox = new Inbox<T>(source, this.#signal, () => source.cancel());
    try {
      for (;;) {
        const come = await inbox.next(attempts.patience);
        if (come.length === 0) return;
        yield come;
      }
    } catch (error) {
      if (error instanceof Silence) this.#connections.silent(connection);
      throw error;
    } finally {
      inbox.close();
    }
  }

  #note({ stream, revision, metadata: { hash } }: RecordedEvent): void {
    if (/^[0-9a-f]{64}$/.test(hash)) this.#connections.heads.note(stream, revision, hash);
  }
}

/** Backwards from a place that a checkpoint tells, its prepare 0, the server would leave out the event that ends there. */
function startAt(place: Position, forwards: boolean): ReturnType<typeof fromPosition> {
  const { commit, prepare } = fromPosition(place);
  return { commit, prepare: forwards ? prepare : commit };
}
