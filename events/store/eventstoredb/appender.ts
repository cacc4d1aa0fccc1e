import { WrongExpectedVersionError } from '@eventstore/db-client';
import { BelegError } from '../../errors.ts';
import { deterministicId } from '../../json.ts';
import { KeyedQueue } from '../../keyed-queue.ts';
import { inTime } from '../../timeout-and-abort.ts';
import { chainHash, GENESIS_HASH } from '../chain.ts';
import type { PreparedEvent } from '../prepare-append.ts';
import { NO_STREAM, type AppendResult } from '../store.ts';
import { createAttempts, type Attempts } from './attempts.ts';
import type { Proposal, Written } from './batch.ts';
import type { Connections } from './connections.ts';
import { Silence } from './errors.ts';
import { isHash, type Reader } from './reader.ts';

/**
 * Appends one after the other within a stream, and several streams side by side. The chain continues from the event at
 * the expected revision, and the server refuses the write if that is not the last event any more. So the chain cannot
 * fork.
 *
 * The server recognises a repeated append by its event ids alone. So the id that it gets is derived from the event's
 * hash: success means that exactly these bytes are in the stream, whoever wrote them. The event's own id is in its
 * metadata.
 */
export function createAppender(connections: Connections, reader: Reader) {
  const { heads, limits } = connections;
  const turns = new KeyedQueue();

  const send = async (proposal: Proposal, ms: number): Promise<Written> => {
    const connection = connections.current;
    try {
      // The client's own deadlines do not cover everything that it does for a call.
      return await inTime(connection.append(proposal), ms, () => new Silence());
    } catch (error) {
      if (error instanceof Silence) connections.silent(connection);
      throw error;
    }
  };

  /** Returns the hash of the event at `revision`, which the next event is chained to. */
  const hashAt = async (stream: string, revision: bigint, attempts: Attempts): Promise<string> => {
    if (revision === NO_STREAM) return GENESIS_HASH;
    const known = heads.get(stream);
    if (known?.revision === revision) return known.hash;
    for await (const event of reader.stream(stream, { from: revision, limit: 1 }, attempts)) {
      if (event.revision !== revision) break;
      if (!isHash(event.metadata.hash)) throw corrupt(stream);
      return event.metadata.hash;
    }
    throw conflict(stream);
  };

  /** Repeats the write until its outcome is known. */
  const write = async (
    { stream, expected, events }: Proposal,
    previous: string,
    attempts: Attempts,
  ): Promise<AppendResult> => {
    const { sent, hash } = chained(stream, expected, events, previous);
    for (;;) {
      try {
        const { revision, position } = await send({ stream, expected, events: sent }, attempts.patience());
        // The stream was deleted or truncated by its metadata: its readers would not get these events.
        if (revision !== expected + BigInt(events.length) || position === undefined) throw corrupt(stream);
        heads.set(stream, { revision, hash });
        return { revision, position };
      } catch (error) {
        heads.delete(stream);
        await attempts.again(error);
      }
    }
  };

  return {
    append(stream: string, expected: bigint, events: readonly PreparedEvent[]): Promise<AppendResult> {
      // The time includes the wait for its turn, so that a caller does not wait for hanging appends and then for its
      // own.
      const attempts = createAttempts(limits);
      return turns.run(stream, async () => {
        if (attempts.patience() === 0) await attempts.again(new Silence());
        const previous = await hashAt(stream, expected, attempts);
        return write({ stream, expected, events }, previous, attempts);
      });
    },
    /** Sends a write that must be refused, so that nothing is written. Only the leader's writer can refuse it. */
    async probe(): Promise<void> {
      const attempts = createAttempts(limits);
      const event = { id: '00000000-0000-4000-8000-000000000000', type: 'Ping', data: '{}', metadata: '{}' };
      const proposal = { stream: 'ping', expected: BigInt(Number.MAX_SAFE_INTEGER), events: [event] };
      for (;;) {
        try {
          await send(proposal, attempts.patience());
          throw new BelegError('STORE_UNAVAILABLE', {
            detail: 'the server does not check the expected revision',
          });
        } catch (error) {
          if (error instanceof WrongExpectedVersionError) return;
          await attempts.again(error);
        }
      }
    },
  };
}

/** Adds the hash and the id to the end of each event's metadata text. `hash` is that of the last event. */
function chained(
  stream: string,
  expected: bigint,
  events: readonly PreparedEvent[],
  previous: string,
): { sent: PreparedEvent[]; hash: string } {
  let hash = previous;
  const sent = events.map((event, index) => {
    hash = chainHash(hash, { ...event, stream, revision: expected + 1n + BigInt(index) });
    const metadata = `${event.metadata.slice(0, -1)},"hash":"${hash}","id":"${event.id}"}`;
    return { ...event, id: deterministicId(hash), metadata };
  });
  return { sent, hash };
}

const conflict = (stream: string): BelegError =>
  new BelegError('WRONG_EXPECTED_REVISION', {
    cause: new Error(`${stream}: its last event is not at the expected revision`),
  });

const corrupt = (stream: string): BelegError =>
  new BelegError('STREAM_CORRUPT', {
    cause: new Error(`${stream}: these are not the events that were written`),
  });
