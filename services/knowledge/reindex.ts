import type { Logger } from 'pino';
import { createActor } from 'xstate';
import { machineOf, startedAt } from '../../actors/lifecycle.ts';
import {
  INDEX_LIFECYCLE,
  type ChangedFiles,
  type IndexBuiltData,
  type IndexCommand,
} from '../../actors/reindex/reindex.ts';
import { INDEX } from '../../actors/streams/knowledge.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import type { Codec } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { deterministicId } from '../../events/json.ts';
import { newCall, type CallContext } from '../../events/messages/define.ts';
import { PrepareIndex } from '../../events/messages/knowledge.ts';
import { unlessAborted } from '../../events/time-limits.ts';
import type { EventStore } from '../../events/store/store.ts';
import { KnowledgeBaseInvalid, type Fault } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import { stateHashOf, type StateHashes } from '../foundation/streams/state-hashes.ts';
import { StreamWriter, type WriterOf } from '../foundation/streams/writer.ts';
import { compareSources } from './source-changes.ts';
import type { Instances } from './instances.ts';
import type { Knowledge } from './index-in-use.ts';
import { logFaults, logLeftOut } from './index-swap.ts';

/** What a reindex built, and the files that it could not use. */
interface Reindexed {
  readonly built: IndexBuiltData;
  readonly leftOut: readonly Fault[];
}

interface ReindexerOptions {
  knowledge: Knowledge;
  instances: Instances;
  /** Ended with the reindexer. */
  writer: WriterOf<typeof INDEX>;
  logger: Logger;
  actors: ActorHost;
}

/** Milliseconds within which a start is on record, or its caller hears that the record is away. */
const START_MS = 5_000;

/**
 * Rebuilds the index, start and end on record: one at a time, as `decide` has it. Asks go on, on the old index, until the new
 * one is swapped in whole; whatever fails before leaves the old one in service.
 */
export function reindexerOf({ knowledge, instances, writer, logger, actors }: ReindexerOptions) {
  const closing = new AbortController();
  const { signal } = closing;
  const machine = startedAt(machineOf(INDEX_LIFECYCLE), writer.state.status);
  const actor = actors.host(createActor(machine), { kind: 'reindex', id: INDEX_STREAM });
  writer.follow((events) => {
    for (const { type } of events) actor.send({ type });
  });
  actor.start();

  /** The end is told only after it is on record, whether it is good or bad. */
  async function run(call: CallContext): Promise<Reindexed> {
    const { names, data, leftOut } = await buildAndSwap(call).catch(async (error: unknown) => {
      const faults = error instanceof KnowledgeBaseInvalid ? error.faults.length : 0;
      const failure = failureOf(error);
      if (!signal.aborted) await record({ type: 'fail-reindex', error: failure, faults }, call);
      throw failure;
    });
    await record({ type: 'finish-reindex', built: data }, call);
    await tellLatecomers(names, data.index, call);
    return { built: data, leftOut };
  }

  /** Builds the index, has every other process get the same one ready, and swaps it in everywhere. `names`: the others. */
  async function buildAndSwap(call: CallContext) {
    const started = performance.now();
    const index = await knowledge.build().catch((error: unknown) => {
      logFaults(logger, call.correlationId, error);
      throw error;
    });
    const { leftOut } = index.files;
    logLeftOut(logger, leftOut, call.correlationId);
    const names = await prepareOthers(index, call);
    const data: IndexBuiltData = {
      index: index.hash,
      passages: index.passageCount,
      sources: index.sources.length,
      ...compareSources(knowledge.index.sources, index.sources),
      duration_ms: Math.round(performance.now() - started),
      built_at: index.builtAt,
    };
    // All processes swap at once, so that they answer from different indexes only for some milliseconds.
    const others = instances.swap(names, index.hash, call);
    knowledge.swap(index);
    await others;
    return { names, data, leftOut };
  }

  /** The names of those that have it ready. */
  async function prepareOthers(index: KnowledgeIndex, call: CallContext): Promise<readonly string[]> {
    try {
      signal.throwIfAborted();
      const names = await instances.prepare(await instances.others(), index.hash, call, signal);
      signal.throwIfAborted();
      return names;
    } catch (error) {
      await index.close();
      throw error;
    }
  }

  /**
   * A process that joined while the build ran was asked for nothing, and may have looked for the last index before this
   * one was on record. From the record on it finds it there.
   */
  async function tellLatecomers(told: readonly string[], index: string, call: CallContext): Promise<void> {
    try {
      const late = (await instances.others()).filter((name) => !told.includes(name));
      if (late.length === 0) return;
      const inTime = AbortSignal.timeout(PrepareIndex.timeoutMs);
      await instances.swap(await instances.prepare(late, index, call, inTime), index, call);
    } catch (error) {
      logger.error({ err: error }, 'a process that started during the reindex may use a different index');
    }
  }

  /** Waits as long as the store is away: the next reindex begins after it. */
  async function record(command: IndexCommand, call: CallContext): Promise<void> {
    try {
      await writer.submit(command, call);
    } catch (error) {
      logger.warn({ err: error }, 'the end of a reindex is not on record; the next holder closes it');
      throw new BelegError('SERVICE_UNAVAILABLE', { cause: error });
    }
  }

  return {
    stateHashes: (): StateHashes => stateHashOf(INDEX_STREAM, writer.state),

    /**
     * Rejects with `REINDEX_RUNNING`, `KB_INVALID`, `STORE_UNAVAILABLE` before anything is built, or what broke the build;
     * then the old index serves everywhere. Resolves when the new one serves in all processes that are there, and that is
     * on record.
     */
    async reindex(call: CallContext, files?: ChangedFiles): Promise<Reindexed> {
      const deadline = new Date(Date.now() + START_MS);
      const start = {
        type: 'start-reindex',
        request_id: call.correlationId,
        ...(files === undefined ? {} : { files }),
      } as const;
      await writer.submit(start, { ...call, deadline });
      return unlessAborted(run(call), signal);
    },

    /** A running build is abandoned, and the old index is complete. The next reindex finds on record that it was interrupted. */
    async close(): Promise<void> {
      closing.abort(new BelegError('SERVICE_UNAVAILABLE'));
      actor.stop();
      await writer.close();
    },
  };
}

export type Reindexer = ReturnType<typeof reindexerOf>;

function failureOf(error: unknown): BelegError {
  if (isBelegError(error)) return error;
  if (error instanceof KnowledgeBaseInvalid) {
    const { length } = error.faults;
    const detail = `The knowledge base has ${length} ${length === 1 ? 'fault' : 'faults'}`;
    return new BelegError('KB_INVALID', { detail });
  }
  return new BelegError('SERVICE_UNAVAILABLE', { detail: 'The index could not be built', cause: error });
}

/**
 * The writer of the index, for one holder of its lease: what an earlier one has broken off in the middle is closed on record.
 * Rejects as the record does.
 */
export async function openIndexWriter(options: {
  store: EventStore;
  codec: Codec;
  now: () => Date;
  /** Called when another holder has written. */
  onLost: () => void;
}): Promise<WriterOf<typeof INDEX>> {
  const writer = await StreamWriter.open(INDEX, INDEX_STREAM, { ...options, context: undefined });
  const call = newCall(deterministicId(INDEX_STREAM, String(writer.revision), 'abandoned'));
  const deadline = new Date(Date.now() + START_MS);
  try {
    await writer.submit({ type: 'abandon-reindex' }, { ...call, deadline });
  } catch (error) {
    await writer.close();
    throw error;
  }
  return writer;
}
