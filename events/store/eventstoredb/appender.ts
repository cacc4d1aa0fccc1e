import { WrongExpectedVersionError } from '@eventstore/db-client';
import { BelegError } from '../../errors.ts';
import { deterministicId } from '../../json.ts';
import { KeyedQueue } from '../../keyed-queue.ts';
import { inTime } from '../../race.ts';
import { chainHash, GENESIS_HASH } from '../chain.ts';
import type { PreparedEvent } from '../prepare.ts';
import { NO_STREAM, type AppendResult } from '../store.ts';
import { Attempts } from './attempts.ts';
import type { Written } from './batch.ts';
import type { Connections } from './connections.ts';
import { Silence } from './errors.ts';
import type { Reader } from './reader.ts';

/**
 * Appends, one after the other within a stream, streams side by side. The chain is built on the event at the expected
 * revision, and the server refuses the write where that is not the last one any more: so it cannot fork.
 *
 * The server takes an append for a repeated one by its ids alone. So what it is given as an event's id comes from the
 * event's hash, and its success means that these very bytes stand there, whoever wrote them. The id is in the metadata.
 */
export class Appender {
  readonly #connections: Connections;
  readonly #reader: Reader;
  readonly #turns = new KeyedQueue();

  constructor(connections: Connections, reader: Reader) {
    this.#connections = connections;
    this.#reader = reader;
  }

  append(stream: string, expected: bigint, events: readonly PreparedEvent[]): Promise<AppendResult> {
    // The time runs while it waits for its turn: behind appends that hang, no caller is held up longer than they are.
    const attempts = new Attempts(this.#connections.limits);
    return this.#turns.run(stream, async () => {
      if (attempts.patience === 0) await attempts.again(new Silence());
      const previous = await this.#hashAt(stream, expected, attempts);
      return this.#write(stream, expected, chained(stream, expected, events, previous), attempts);
    });
  }

  /** A write that must be refused, so that nothing is written: the leader's writer has to look at it to do so. */
  async probe(): Promise<void> {
    const attempts = new Attempts(this.#connections.limits);
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

  /** Of the event that the next one is to follow. */
  async #hashAt(stream: string, revision: bigint, attempts: Attempts): Promise<string> {
    if (revision === NO_STREAM) return GENESIS_HASH;
    const known = this.#connections.heads.hashAt(stream, revision);
    if (known !== undefined) return known;
    for await (const event of this.#reader.stream(stream, { from: revision, limit: 1 }, attempts)) {
      if (event.revision !== revision) break;
      if (!/^[0-9a-f]{64}$/.test(event.metadata.hash)) throw corrupt(stream);
      return event.metadata.hash;
    }
    throw conflict(stream);
  }

  /** As often as it takes to know. */
  async #write(
    stream: string,
    expected: bigint,
    { events, hash }: { events: readonly PreparedEvent[]; hash: string },
    attempts: Attempts,
  ): Promise<AppendResult> {
    for (;;) {
      try {
        const { revision, position } = await this.#send(stream, expected, events, attempts.patience);
        // Deleted before, or cut short by its metadata: its readers are not given what stands there.
        if (revision !== expected + BigInt(events.length) || position === undefined) throw corrupt(stream);
        this.#connections.heads.note(stream, revision, hash);
        return { revision, position };
      } catch (error) {
        this.#connections.heads.forget(stream);
        await attempts.again(error);
      }
    }
  }

  async #send(
    stream: string,
    expected: bigint,
    events: readonly PreparedEvent[],
    ms: number,
  ): Promise<Written> {
    const connection = this.#connections.current;
    try {
      // No deadline of the client covers all that it does for a call.
      return await inTime(connection.append({ stream, expected, events }), ms, () => new Silence());
    } catch (error) {
      if (error instanceof Silence) this.#connections.silent(connection);
      throw error;
    }
  }
}

/** As they are sent: the hash and the id at the end of the metadata's text. `hash` is the last one. */
function chained(
  stream: string,
  expected: bigint,
  events: readonly PreparedEvent[],
  previous: string,
): { events: PreparedEvent[]; hash: string } {
  let hash = previous;
  const sent = events.map((event, index) => {
    hash = chainHash(hash, { ...event, stream, revision: expected + 1n + BigInt(index) });
    const metadata = `${event.metadata.slice(0, -1)},"hash":"${hash}","id":"${event.id}"}`;
    return { ...event, id: deterministicId(hash), metadata };
  });
  return { events: sent, hash };
}

const conflict = (stream: string): BelegError =>
  new BelegError('WRONG_EXPECTED_REVISION', {
    cause: new Error(`${stream}: its last event is not at the expected revision`),
  });

const corrupt = (stream: string): BelegError =>
  new BelegError('STREAM_CORRUPT', {
    cause: new Error(`${stream}: these are not the events that were written`),
  });
