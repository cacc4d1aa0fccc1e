import type { ServerDuplexStream, ServiceError } from '@grpc/grpc-js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type statusPb from '@eventstore/db-client/generated/status_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import { appendFaulty } from './append.ts';
import { batchRefusals } from './batch-refusals.ts';
import type { Context } from './context.ts';
import type { Outcome } from './database.ts';
import type { ProposedEvent } from './stored-event.ts';
import { expectedOf, type Expected } from './expected.ts';
import { ENDED, faulty } from './faulty.ts';
import { proposedEvent, sizeOf } from './proposed.ts';
import { googleEmpty, streamIdentifier, streamName, uuidText } from './protocol.ts';
import { MAX_APPEND_SIZE } from './refusals.ts';

type Call = ServerDuplexStream<pb.BatchAppendReq, pb.BatchAppendResp>;

/** An append whose last message has not arrived. */
interface Pending {
  stream: string;
  expected: Expected;
  events: ProposedEvent[];
  size: number;
  timer: NodeJS.Timeout;
}

/** The server's own time limit for a write. */
const WRITE_TIMEOUT = 2_000;

/**
 * `Streams.BatchAppend`: one long stream with many appends, identified by correlation ids. They are decided in the
 * order of their last messages and answered once they are on disk; a refusal does not affect the others.
 */
export function batchAppend(context: Context, call: Call): void {
  const { faults } = context;
  const pending = new Map<string, Pending>();
  let inFlight = 0;
  let inputEnded = false;

  const offNow = faults.onNow('endBatchStreams', () => call.end());
  const closed = (): void => {
    offNow();
    for (const { timer } of pending.values()) clearTimeout(timer);
    pending.clear();
  };
  call.on('close', closed);
  call.on('cancelled', closed);
  call.on('error', closed);

  const answer = (id: sharedPb.UUID | undefined, stream: string, result: pb.BatchAppendResp): void => {
    if (call.cancelled || call.writableEnded) return;
    call.write(result.setCorrelationId(id).setStreamIdentifier(streamIdentifier(stream)));
  };
  const refuse = (id: sharedPb.UUID | undefined, stream: string, status: statusPb.Status): void =>
    answer(id, stream, new pb.BatchAppendResp().setError(status));

  const write = async (
    id: sharedPb.UUID | undefined,
    { stream, expected, events }: Pending,
  ): Promise<void> => {
    inFlight++;
    const fault = faults.take('batchAppend');
    try {
      if (fault?.kind === 'accessDenied') return refuse(id, stream, batchRefusals.accessDenied());
      if (fault?.kind === 'unavailable') return refuse(id, stream, batchRefusals.notReady());
      const outcome = await faulty(fault, context.cut, () =>
        appendFaulty(context, fault, stream, expected, events),
      );
      if (outcome === ENDED) call.end();
      else if (outcome.kind === 'deleted') refuse(id, stream, batchRefusals.streamDeleted(stream));
      else if (outcome.kind === 'wrongVersion') {
        refuse(id, stream, batchRefusals.wrongExpectedVersion(expected, outcome.current));
      } else answer(id, stream, new pb.BatchAppendResp().setSuccess(success(outcome)));
    } catch (error) {
      // `NotLeader` ends the whole stream, as in the server.
      if (isRefusal(error)) call.emit('error', error);
      else refuse(id, stream, batchRefusals.unknown());
    } finally {
      inFlight--;
      if (inputEnded && inFlight === 0) call.end();
    }
  };

  call.on('data', (request: pb.BatchAppendReq) => {
    const id = request.getCorrelationId();
    const key = uuidText(id);
    const options = request.getOptions();
    if (options !== undefined && !pending.has(key)) {
      const stream = streamName(options.getStreamIdentifier());
      const deadline = options.getDeadline()?.toDate().getTime() ?? Infinity;
      const left = Math.min(deadline - Date.now(), WRITE_TIMEOUT);
      if (left <= 0) return refuse(id, stream, batchRefusals.timeout());
      const timer = setTimeout(() => {
        pending.delete(key);
        refuse(id, stream, batchRefusals.timeout());
      }, left);
      const expected = expectedOf(options, options.getStreamPosition());
      pending.set(key, { stream, expected, events: [], size: 0, timer });
    }
    const append = pending.get(key);
    // This message belongs to an append that was already refused.
    if (append === undefined) return;
    try {
      for (const message of request.getProposedMessagesList()) {
        const event = proposedEvent(message);
        append.events.push(event);
        append.size += sizeOf(event, context.version);
      }
    } catch (error) {
      drop(pending, key);
      return refuse(id, append.stream, batchRefusals.badRequest((error as Error).message));
    }
    if (append.size > MAX_APPEND_SIZE) {
      drop(pending, key);
      return refuse(id, append.stream, batchRefusals.appendTooLarge());
    }
    if (!request.getIsFinal()) return;
    drop(pending, key);
    void write(id, append);
  });
  call.on('end', () => {
    inputEnded = true;
    if (inFlight === 0) call.end();
  });
}

function drop(pending: Map<string, Pending>, key: string): void {
  clearTimeout(pending.get(key)?.timer);
  pending.delete(key);
}

function isRefusal(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

function success(outcome: Extract<Outcome, { kind: 'written' }>): pb.BatchAppendResp.Success {
  const result = new pb.BatchAppendResp.Success();
  if (outcome.revision < 0n) result.setNoStream(googleEmpty());
  else result.setCurrentRevision(String(outcome.revision));
  if (outcome.position === undefined) return result.setNoPosition(googleEmpty());
  const position = String(outcome.position);
  return result.setPosition(
    new sharedPb.AllStreamPosition().setCommitPosition(position).setPreparePosition(position),
  );
}
