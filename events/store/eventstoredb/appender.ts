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
 * the expected revision, and the server refuses the write if that is not the last one any more. So it cannot fork.
 *
 * The server takes an append for a repeated one by its ids alone. So what it is given as an event's id comes from the
 * event's hash, and its success means that these very bytes stand there, whoever wrote them. The id is in the metadata.
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
        // The stream was deleted, or cut short by its metadata: its readers would not get these events.
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
      // The time includes the wait for its turn: a caller behind appends that hang waits no longer than they do.
      const attempts = createAttempts(limits);
      return turns.run(stream, async () => {
        if (attempts.patience() === 0) await attempts.again(new Silence());
        const previous = await hashAt(stream, expected, attempts);
        return write({ stream, expected, events }, previous, attempts);
      });
    },
    /** A write that must be refused, so that nothing is written. The leader's writer has to look at it. */
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

/** Events as they are sent, with the hash and the id at the end of the metadata's text. `hash` is that of the last event. */
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
