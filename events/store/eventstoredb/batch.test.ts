import { randomUUID } from 'node:crypto';
import { Duplex } from 'node:stream';
import { UnavailableError, WrongExpectedVersionError } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from 'vitest';
import { NO_STREAM } from '../store.ts';
import { openBatch, type Proposal } from './batch.ts';
import { isTransient } from './errors.ts';
import { batchRefusals } from '../../../testing/eventstoredb/stand-in/batch-refusals.ts';

/** The default high-water mark of Node's object streams. */
const HIGH_WATER_MARK = 16;

const proposal = (): Proposal => ({
  stream: 'ask-1',
  expected: NO_STREAM,
  events: [{ id: randomUUID(), type: 'Noted', data: '{}', metadata: '{}' }],
});

/** A call whose other end takes a message only when the test says so. */
function given() {
  const taken: pb.BatchAppendReq[] = [];
  const taking: (() => void)[] = [];
  let cancelled = false;
  const call = new Duplex({
    objectMode: true,
    read: () => undefined,
    write: (request: pb.BatchAppendReq, _, done) => {
      taken.push(request);
      taking.push(done);
    },
  });
  const batch = openBatch(
    Object.assign(call, { cancel: () => (cancelled = true) }) as never,
    () => undefined,
  );
  const take = async (): Promise<void> => {
    taking.shift()!();
    await new Promise(setImmediate);
  };
  const answer = (request: pb.BatchAppendReq, status?: Status): void => {
    const response = new pb.BatchAppendResp().setCorrelationId(request.getCorrelationId());
    if (status !== undefined) call.push(response.setError(status));
    else call.push(response.setSuccess(new pb.BatchAppendResp.Success().setCurrentRevision('0')));
  };
  return { batch, call, taken, take, answer, isCancelled: () => cancelled };
}

describe('appends over one call', () => {
  it('makes a message only where there is room for it, and keeps none back', async () => {
    const { batch, call, taken, take, answer } = given();
    const appends = Array.from({ length: 100 }, () => batch.append(proposal()));
    for (let sent = 1; sent <= 100; sent++) {
      expect(call.writableLength).toBeLessThanOrEqual(HIGH_WATER_MARK);
      await take();
    }
    for (const request of taken) answer(request);
    expect(await Promise.all(appends)).toHaveLength(100);
  });

  it('gives each its own answer, in whatever order, and passes over one that nobody waits for', async () => {
    const { batch, taken, take, answer } = given();
    const [one, two] = [batch.append(proposal()), batch.append(proposal())];
    await take();
    answer(new pb.BatchAppendReq().setCorrelationId(new shared.UUID().setString(randomUUID())));
    answer(taken[1]!);
    expect(await two).toEqual({ revision: 0n, position: undefined });
    answer(taken[0]!, batchRefusals.wrongExpectedVersion('no_stream', 3n));
    await expect(one).rejects.toBeInstanceOf(WrongExpectedVersionError);
    answer(taken[1]!);
  });

  it.each([
    ['is not ready', batchRefusals.notReady(), true],
    ['was too slow', batchRefusals.timeout(), true],
    ['does not know', batchRefusals.unknown(), true],
    ['finds the request wrong', batchRefusals.badRequest('no stream'), false],
    ['finds it too large', batchRefusals.appendTooLarge(), false],
    ['denies it', batchRefusals.accessDenied(), false],
    ['has the stream no more', batchRefusals.streamDeleted('ask-1'), false],
  ])('a node that %s: %#', async (_, status, transient) => {
    const { batch, taken, take, answer } = given();
    const append = batch.append(proposal());
    await take();
    answer(taken[0]!, status);
    const error: unknown = await append.catch((refusal: unknown) => refusal);
    expect(isTransient(error)).toBe(transient);
    const code: number = status.getCode();
    expect(error instanceof UnavailableError).toBe(code === 0);
  });

  it.each<[string, (bench: ReturnType<typeof given>) => void]>([
    ['breaks', ({ call }) => void call.emit('error', new Error('broken'))],
    ['ends', ({ call }) => void call.push(null)],
    ['is closed', ({ batch }) => batch.close()],
  ])('rejects what waits for an answer, and for room, where the call %s', async (how, end) => {
    const bench = given();
    bench.call.resume();
    const appends = Array.from({ length: 40 }, () => bench.batch.append(proposal()));
    const settled = Promise.allSettled(appends);
    end(bench);
    for (const outcome of await settled) expect(outcome).toMatchObject({ status: 'rejected' });
    const late: unknown = await bench.batch.append(proposal()).catch((error: unknown) => error);
    expect(isTransient(late)).toBe(true);
    expect(bench.isCancelled()).toBe(how === 'is closed');
  });
});
