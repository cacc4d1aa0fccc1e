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
import { unlessAborted } from '../../events/timeout-and-abort.ts';
import type { EventStore } from '../../events/store/store.ts';
import { KnowledgeBaseInvalid, type Fault } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import { stateHashOf, type StateHashes } from '../foundation/streams/state-hashes.ts';
import { StreamWriter, type WriterOf } from '../foundation/streams/writer.ts';
import { compareSources, type Changes } from './source-changes.ts';
import type { Instances } from './instances.ts';
import type { Knowledge } from './index-in-use.ts';
import { logFaults, logLeftOut } from './index-swap.ts';

/** The result of a reindex, and the files that could not be used. */
interface Reindexed {
  readonly built: IndexBuiltData;
  readonly leftOut: readonly Fault[];
}

/** An index, and how its sources differ from those of the index in service. */
interface Made {
  readonly index: KnowledgeIndex;
  readonly sources: Changes;
}

interface ReindexerOptions {
  knowledge: Knowledge;
  instances: Instances;
  /** The writer of the index's stream, which is closed with the reindexer. */
  writer: WriterOf<typeof INDEX>;
  logger: Logger;
  actors: ActorHost;
}

/** Milliseconds within which the start must be on record; otherwise the caller gets an error. */
const START_MS = 5_000;

/**
 * Rebuilds the index, one build at a time, and records its start and end. Asks use the old index until the new one is
 * swapped in; if the build fails before that, the old one stays in service.
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

  /** Success or failure is reported only after it is on record. */
  async function run(call: CallContext, make: () => Promise<Made>): Promise<Reindexed> {
    const { names, data, leftOut } = await makeAndSwap(call, make).catch(async (error: unknown) => {
      const faults = error instanceof KnowledgeBaseInvalid ? error.faults.length : 0;
      const failure = failureOf(error);
      if (!signal.aborted) await record({ type: 'fail-reindex', error: failure, faults }, call);
      throw failure;
    });
    await record({ type: 'finish-reindex', built: data }, call);
    await tellLatecomers(names, data.index, call);
    return { built: data, leftOut };
  }

  /** Makes the index, lets all other processes (`names`) prepare it, and swaps it in everywhere. */
  async function makeAndSwap(call: CallContext, make: () => Promise<Made>) {
    const started = performance.now();
    const { index, sources } = await make().catch((error: unknown) => {
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
      ...sources,
      duration_ms: Math.round(performance.now() - started),
      built_at: index.builtAt,
    };
    // All processes swap at once, so that they answer from different indexes only for some milliseconds.
    const others = instances.swap(names, index.hash, call);
    knowledge.swap(index);
    await others;
    return { names, data, leftOut };
  }

  /** Has the other processes prepare the index; resolves with the names of those that have. */
  async function prepareOthers(index: KnowledgeIndex, call: CallContext): Promise<readonly string[]> {
    try {
      signal.throwIfAborted();
      const names = await instances.prepare(await instances.others(), index.hash, call, signal);
      signal.throwIfAborted();
      return names;
    } catch (error) {
      if (index !== knowledge.index) await index.close();
      throw error;
    }
  }

  async function build(lookAtAll: boolean): Promise<Made> {
    const index = await knowledge.build({ lookAtAll });
    return { index, sources: compareSources(knowledge.index.sources, index.sources) };
  }

  async function begin(call: CallContext, files: ChangedFiles | undefined): Promise<void> {
    const deadline = new Date(Date.now() + START_MS);
    const start = {
      type: 'start-reindex',
      request_id: call.correlationId,
      ...(files === undefined ? {} : { files }),
    } as const;
    await writer.submit(start, { ...call, deadline });
  }

  /**
   * Tells processes that joined during the build. They were not called, and may have read the record before this index
   * was on it.
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

  /** Records a command. It waits while the store is away, because the next reindex must come after it on record. */
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
     * Rebuilds the index. Rejects with `REINDEX_RUNNING`, `KB_INVALID`, `STORE_UNAVAILABLE` before the build, or with
     * the error of the build; the old index then stays in service everywhere. Resolves when the new one is in service
     * in all running processes and this is on record.
     */
    async reindex(call: CallContext, files?: ChangedFiles): Promise<Reindexed> {
      await begin(call, files);
      // A caller that asks for a reindex knows of a change, perhaps of one that the system does not report.
      return unlessAborted(
        run(call, () => build(files === undefined)),
        signal,
      );
    },

    /**
     * Records changes that the start of this process has found, like changes that come while it runs, so that other
     * processes take them over. Nothing is done if the record has this index already, or another one has been put in
     * service since. Throws as `reindex` does.
     */
    async recordStart(call: CallContext): Promise<void> {
      const changed = knowledge.changedAtStart;
      if (changed?.index !== knowledge.index.hash || changed.index === writer.state.index) return;
      logger.info(
        { request_id: call.correlationId, ...changed.files },
        'files of the knowledge base had changed before the start',
      );
      await begin(call, changed.files);
      const made = async (): Promise<Made> => ({ index: knowledge.index, sources: changed.sources });
      await unlessAborted(run(call, made), signal);
    },

    /** A running build is abandoned and the old index stays. The next reindex records that it was interrupted. */
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
    return new BelegError('KB_INVALID', { detail, cause: error });
  }
  return new BelegError('SERVICE_UNAVAILABLE', { detail: 'The index could not be built', cause: error });
}

/**
 * Opens the writer of the index for one holder of the lease. A reindex that an earlier holder left open is ended on
 * record. Rejects if the record cannot be read or written.
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
