import { WrongExpectedVersionError } from '@eventstore/db-client';
import { BelegError } from '../../errors.ts';
import { Turns } from '../../turns.ts';
import { chainHash, GENESIS_HASH } from '../chain.ts';
import type { PreparedEvent } from '../prepare.ts';
import { NO_STREAM, type AppendResult, type RecordedEvent } from '../store.ts';
import { Attempts, inTime, type Limits } from './attempts.ts';
import type { Written } from './batch.ts';
import type { Connections } from './connections.ts';
import { Silence } from './errors.ts';
import type { Heads } from './heads.ts';
import type { Reader } from './reader.ts';

/** What stands after the expected revision: nothing (so write, after this hash), or exactly these events. */
type Place = { kind: 'free'; previous: string } | { kind: 'repeated'; result: AppendResult };

/**
 * Appends, one after the other within a stream, streams side by side. The chain is built on the event at the expected
 * revision, and the server refuses the write where that is not the last one any more: so it cannot fork.
 */
export class Appender {
  readonly #connections: Connections;
  readonly #reader: Reader;
  readonly #heads: Heads;
  readonly #limits: Limits;
  readonly #turns = new Turns();

  constructor(connections: Connections, reader: Reader, heads: Heads, limits: Limits) {
    this.#connections = connections;
    this.#reader = reader;
    this.#heads = heads;
    this.#limits = limits;
  }

  append(stream: string, expected: bigint, events: readonly PreparedEvent[]): Promise<AppendResult> {
    // The time runs while it waits for its turn: behind appends that hang, no caller is held up longer than they are.
    const attempts = new Attempts(this.#limits);
    return this.#turns.run(stream, async () => {
      if (attempts.patience === 0) await attempts.again(new Silence());
      if (this.#heads.conflicts(stream, expected, idsOf(events))) throw conflict(stream);
      const head = this.#heads.get(stream);
      const place: Place =
        head?.revision === expected
          ? { kind: 'free', previous: head.hash }
          : await this.#look(stream, expected, events, attempts);
      if (place.kind === 'repeated') return place.result;
      return this.#write(stream, expected, chained(stream, expected, events, place.previous), attempts);
    });
  }

  /** A write that must be refused, so that nothing is written: the leader's writer has to look at it to do so. */
  async probe(): Promise<void> {
    const attempts = new Attempts(this.#limits);
    const stream = 'ping';
    const event = { id: '00000000-0000-4000-8000-000000000000', type: 'Ping', data: '{}', metadata: '{}' };
    for (;;) {
      try {
        await this.#send(stream, BigInt(Number.MAX_SAFE_INTEGER), [event], attempts.patience);
        throw new BelegError('STORE_UNAVAILABLE', {
          detail: 'the server does not check the expected revision',
        });
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) return;
        await attempts.again(error);
      }
    }
  }

  async #look(
    stream: string,
    expected: bigint,
    events: readonly PreparedEvent[],
    attempts: Attempts,
  ): Promise<Place> {
    const isNew = expected === NO_STREAM;
    const from = isNew ? 0n : expected;
    const standing: RecordedEvent[] = [];
    const limit = events.length + (isNew ? 0 : 1);
    for await (const event of this.#reader.stream(stream, { from, limit }, attempts)) standing.push(event);
    const before = isNew ? undefined : standing.shift();
    if (!isNew && before?.revision !== expected) throw conflict(stream);
    if (standing.length === 0) return { kind: 'free', previous: hashOf(before) };
    const last = standing.at(-1)!;
    const repeated =
      standing.length === events.length &&
      standing.every(({ id, revision }, index) => {
        return id === events[index]!.id && revision === expected + 1n + BigInt(index);
      });
    if (!repeated) throw conflict(stream);
    return { kind: 'repeated', result: { revision: last.revision, position: last.position, repeated } };
  }

  /** The same ids and the same bytes, as often as it takes to know. */
  async #write(
    stream: string,
    expected: bigint,
    { events, hash }: { events: readonly PreparedEvent[]; hash: string },
    attempts: Attempts,
  ): Promise<AppendResult> {
    const revision = expected + BigInt(events.length);
    for (let known = true; ; known = false) {
      try {
        const result = await this.#send(stream, expected, events, attempts.patience);
        if (result.revision !== revision) throw corrupt(stream);
        this.#heads.note(stream, revision, hash, idsOf(events));
        // After an answer that was lost, the server repeats the success, and its position means little then.
        if (known && result.position !== undefined) {
          return { revision, position: result.position, repeated: false };
        }
        return await this.#written(stream, expected, events, attempts);
      } catch (error) {
        this.#heads.forget(stream);
        if (error instanceof WrongExpectedVersionError && !known) {
          return this.#written(stream, expected, events, attempts);
        }
        await attempts.again(error);
      }
    }
  }

  /** It was this call that wrote, if the events stand there. */
  async #written(
    stream: string,
    expected: bigint,
    events: readonly PreparedEvent[],
    attempts: Attempts,
  ): Promise<AppendResult> {
    const from = expected + 1n;
    const limit = events.length;
    const standing: RecordedEvent[] = [];
    for await (const event of this.#reader.stream(stream, { from, limit }, attempts)) standing.push(event);
    const last = standing.at(-1);
    if (last === undefined || standing.length < limit) throw conflict(stream);
    if (standing.some(({ id }, index) => id !== events[index]!.id)) throw conflict(stream);
    return { revision: last.revision, position: last.position, repeated: false };
  }

  async #send(
    stream: string,
    expected: bigint,
    events: readonly PreparedEvent[],
    ms: number,
  ): Promise<Written> {
    const connection = this.#connections.current;
    try {
      return await inTime(connection.append({ stream, expected, events }), ms);
    } catch (error) {
      if (error instanceof Silence) this.#connections.silent(connection);
      throw error;
    }
  }
}

/** At the end of the text of an object; of two of one name readers take the last. */
const withMember = (object: string, key: string, value: string): string =>
  `${object.slice(0, -1)}${object === '{}' ? '' : ','}"${key}":"${value}"}`;

/** Adds each event's hash to its metadata; `hash` is the last one. */
function chained(
  stream: string,
  expected: bigint,
  events: readonly PreparedEvent[],
  previous: string,
): { events: PreparedEvent[]; hash: string } {
  let hash = previous;
  const withHash = events.map((event, index) => {
    hash = chainHash(hash, { ...event, stream, revision: expected + 1n + BigInt(index) });
    return { ...event, metadata: withMember(event.metadata, 'hash', hash) };
  });
  return { events: withHash, hash };
}

function hashOf(event: RecordedEvent | undefined): string {
  if (event === undefined) return GENESIS_HASH;
  if (!/^[0-9a-f]{64}$/.test(event.metadata.hash)) throw corrupt(event.stream);
  return event.metadata.hash;
}

const idsOf = (events: readonly PreparedEvent[]): string[] => events.map(({ id }) => id);

const conflict = (stream: string): BelegError =>
  new BelegError('WRONG_EXPECTED_REVISION', {
    cause: new Error(`${stream}: it has different events at these revisions`),
  });

const corrupt = (stream: string): BelegError =>
  new BelegError('STREAM_CORRUPT', {
    cause: new Error(`${stream}: these are not the events that were written`),
  });
