import { randomUUID } from 'node:crypto';
import { UnknownError } from '@eventstore/db-client';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { PreparedEvent } from '../prepare-append.ts';
import { NO_STREAM, type Position } from '../store.ts';
import { commandError, endedEarly } from './errors.ts';
import { toPosition } from './positions.ts';

/** An append as it is sent. */
export interface Proposal {
  readonly stream: string;
  readonly expected: bigint;
  readonly events: readonly PreparedEvent[];
}

export interface Written {
  readonly revision: bigint;
  /** The position of the last event. The server may leave it out if it repeats an answer. */
  readonly position: Position | undefined;
}

interface Waiting {
  readonly stream: string;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: Error) => void;
}

/** The gRPC status code UNAVAILABLE. */
const UNAVAILABLE = 14;

export type Batch = ReturnType<typeof openBatch>;

/**
 * Sends appends over one long call of one connection (`Streams.BatchAppend`). Each append has its own answer, in any
 * order. If the call breaks or ends, every waiting append is rejected: it may have been written or not.
 *
 * The client's own implementation is not used. It keeps waiting appends in one map for all clients of the process, so
 * that an error of one stream rejects the appends of all, and a late answer then throws where nobody can catch it.
 *
 * @param onEnd called once, when nothing can be sent over the call any more.
 */
export function openBatch(call: ReturnType<StreamsClient['batchAppend']>, onEnd: () => void) {
  const waiting = new Map<string, Waiting>();
  let room: PromiseWithResolvers<void> | undefined;
  let ended: Error | undefined;

  const hasRoom = (): void => {
    room?.resolve();
    room = undefined;
  };

  const settle = (answer: pb.BatchAppendResp): void => {
    const id = answer.getCorrelationId()?.getString() ?? '';
    const append = waiting.get(id);
    if (append === undefined) return;
    waiting.delete(id);
    const success = answer.getSuccess();
    if (success === undefined) return append.reject(errorOf(answer.getError()!, append.stream));
    const at = success.getPosition();
    append.resolve({
      revision: BigInt(success.getCurrentRevision()),
      position:
        at &&
        toPosition({ commit: BigInt(at.getCommitPosition()), prepare: BigInt(at.getPreparePosition()) }),
    });
  };

  const end = (error: Error): void => {
    if (ended !== undefined) return;
    ended = error;
    onEnd();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    hasRoom();
  };

  call.on('data', settle);
  call.on('error', (error: Error) => end(commandError(error)));
  call.on('end', () => end(endedEarly()));
  call.on('drain', hasRoom);
  return {
    /**
     * Sends an append when the connection has room for it. Rejects with an error of the client, or one of `errors.ts`.
     */
    async append(proposal: Proposal): Promise<Written> {
      for (let full = room; full !== undefined; full = room) await full.promise;
      if (ended !== undefined) throw ended;
      const id = randomUUID();
      return new Promise((resolve, reject) => {
        waiting.set(id, { stream: proposal.stream, resolve, reject });
        if (!call.write(request(id, proposal))) room ??= Promise.withResolvers();
      });
    },
    /** Closes; waiting appends are rejected. */
    close(): void {
      end(endedEarly());
      call.cancel();
    },
  };
}

/**
 * The request of an append. It has no deadline, because a deadline would be a time of our clock. The server limits a
 * write itself, and our caller limits its wait.
 */
function request(id: string, { stream, expected, events }: Proposal): pb.BatchAppendReq {
  const options = new pb.BatchAppendReq.Options().setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(Buffer.from(stream)),
  );
  if (expected === NO_STREAM) options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  return new pb.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(id))
    .setOptions(options)
    .setProposedMessagesList(events.map(proposed))
    .setIsFinal(true);
}

function proposed({ id, type, data, metadata }: PreparedEvent): pb.BatchAppendReq.ProposedMessage {
  const message = new pb.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}

/** Errors without a class in the client concern the node, which mostly is not ready. They have no code of their own. */
function errorOf(status: Status, stream: string): Error {
  const error = unpackToCommandError(status, stream);
  if (!(error instanceof UnknownError)) return error;
  const code: number = status.getCode() || UNAVAILABLE;
  const details = status.getMessage();
  return commandError(Object.assign(new Error(details), { code, details }));
}
