import type { Logger } from 'pino';
import { createActor, fromPromise } from 'xstate';
import {
  reindexMachine,
  requestReindex,
  type BuildResult,
  type ReindexRequest,
} from '../../actors/reindex/machine.ts';
import type { IndexBuiltData, IndexCommand } from '../../actors/reindex/reindex.ts';
import { INDEX } from '../../actors/streams/knowledge.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import type { Codec } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { deterministicId } from '../../events/json.ts';
import { newCall, type CallContext } from '../../events/messages/define.ts';
import { PrepareIndex } from '../../events/messages/knowledge.ts';
import type { EventStore } from '../../events/store/store.ts';
import { KnowledgeBaseInvalid } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { stateHashOf, type StateHashes } from '../state-hashes.ts';
import { StreamWriter, type WriterOf } from '../streams/writer.ts';
import { compareSources } from './changes.ts';
import type { Instances } from './instances.ts';
import type { Knowledge } from './index-in-use.ts';
import { logFaults } from './index-swap.ts';

interface ReindexerOptions {
  knowledge: Knowledge;
  instances: Instances;
  /** Ended with the reindexer. */
  writer: WriterOf<typeof INDEX>;
  logger: Logger;
}

/** Milliseconds within which a start is on record, or its caller hears that the record is away. */
const START_MS = 5_000;

/** What waits to be swapped in, here and in the processes that have it ready. */
interface Prepared {
  readonly index: KnowledgeIndex;
  readonly names: readonly string[];
  readonly context: CallContext;
}

/** Runs the reindex machine: one build at a time, asks go on meanwhile, every step on record. */
export class Reindexer {
  readonly #options: ReindexerOptions;
  readonly #actor;
  /** Rejects when the reindexer closes. */
  readonly #closed = Promise.withResolvers<never>();
  /** The other processes that the last swap went to. */
  #swapped: readonly string[] = [];
  /** The end of the last one, on record. */
  #recorded: Promise<void> = Promise.resolve();

  constructor(options: ReindexerOptions) {
    this.#options = options;
    this.#actor = createActor(
      reindexMachine.provide({
        actors: {
          build: fromPromise(({ input, signal }) => this.#build(input, signal)),
          swap: fromPromise(({ input }) => this.#swap(input.index as Prepared)),
        },
      }),
    );
    this.#actor.on('record', ({ request, command }) => this.#record(request, command));
    this.#actor.start();
    // Whoever waits hears of it; without one there is nobody to tell.
    this.#closed.promise.catch(() => undefined);
  }

  stateHashes(): StateHashes {
    return stateHashOf(INDEX_STREAM, this.#options.writer.state);
  }

  /**
   * Rejects with `REINDEX_RUNNING`, `KB_INVALID`, `STORE_UNAVAILABLE` before anything is built, or what broke the build; then
   * the old index serves everywhere. Resolves when the new one serves in all processes that are there, and that is on record.
   */
  async reindex(request: ReindexRequest): Promise<IndexBuiltData> {
    const { writer } = this.#options;
    const deadline = new Date(Date.now() + START_MS);
    await writer.submit(
      { type: 'StartReindex', request_id: request.requestId },
      { ...contextOf(request), deadline },
    );
    const built = await Promise.race([this.#run(request), this.#closed.promise]);
    await this.#tellLatecomers(request, built.index);
    return built;
  }

  /** Nobody hears of an end, good or bad, that is not on record. */
  async #run(request: ReindexRequest): Promise<IndexBuiltData> {
    try {
      return await requestReindex(this.#actor, request);
    } finally {
      await this.#recorded;
    }
  }

  /** A build that runs is left behind: the old index is whole. Whoever reindexes next finds on record what was broken off. */
  async close(): Promise<void> {
    this.#actor.stop();
    this.#closed.reject(new BelegError('SERVICE_UNAVAILABLE'));
    await this.#options.writer.close();
  }

  /** Builds the index, then has every other process get the same one ready. */
  async #build(request: ReindexRequest, signal: AbortSignal): Promise<BuildResult> {
    const { knowledge, logger } = this.#options;
    const started = performance.now();
    try {
      const index = await knowledge.build();
      const context = contextOf(request);
      const names = await this.#prepareOthers(index, context, signal);
      const data: IndexBuiltData = {
        index: index.hash,
        passages: index.passageCount,
        sources: index.sources.length,
        ...compareSources(knowledge.index.sources, index.sources),
        duration_ms: Math.round(performance.now() - started),
        built_at: index.builtAt,
      };
      const prepared: Prepared = { index, names, context };
      return { outcome: 'built', index: prepared, data };
    } catch (error) {
      if (error instanceof KnowledgeBaseInvalid) {
        logFaults(logger, request.requestId, error);
        return { outcome: 'invalid', faults: error.faults.length };
      }
      if (isBelegError(error)) throw error;
      throw new BelegError('SERVICE_UNAVAILABLE', { detail: 'The index could not be built', cause: error });
    }
  }

  async #prepareOthers(
    index: KnowledgeIndex,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const { instances } = this.#options;
    try {
      return await instances.prepare(await instances.others(), index.hash, context, signal);
    } catch (error) {
      await index.close();
      throw error;
    }
  }

  /** All at once, so that processes answer from different indexes for some milliseconds only. */
  async #swap({ index, names, context }: Prepared): Promise<void> {
    const { knowledge, instances } = this.#options;
    this.#swapped = names;
    const others = instances.swap(names, index.hash, context);
    knowledge.swap(index);
    await others;
  }

  /**
   * A process that joined while the build ran was asked for nothing, and may have looked for the last index before this
   * one was on record. From the record on it finds it there.
   */
  async #tellLatecomers(request: ReindexRequest, index: string): Promise<void> {
    const { instances, logger } = this.#options;
    try {
      const context = contextOf(request);
      const late = (await instances.others()).filter((name) => !this.#swapped.includes(name));
      if (late.length === 0) return;
      await instances.swap(
        await instances.prepare(late, index, context, AbortSignal.timeout(PrepareIndex.timeoutMs)),
        index,
        context,
      );
    } catch (error) {
      logger.error({ err: error }, 'a process that started during the reindex may use a different index');
    }
  }

  /** For as long as the store is away: the next one begins behind it. */
  #record(request: ReindexRequest, command: IndexCommand): void {
    const { writer, logger } = this.#options;
    this.#recorded = writer.submit(command, contextOf(request)).then(
      () => undefined,
      (error: unknown) => {
        logger.warn({ err: error }, 'the end of a reindex is not on record; the next holder closes it');
        throw new BelegError('SERVICE_UNAVAILABLE', { cause: error });
      },
    );
    this.#recorded.catch(() => undefined);
  }
}

function contextOf({ requestId, callId, traceparent }: ReindexRequest): CallContext {
  return {
    correlationId: requestId,
    callId,
    ...(traceparent === undefined ? {} : { trace: { traceparent } }),
  };
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
    await writer.submit({ type: 'AbandonReindex' }, { ...call, deadline });
  } catch (error) {
    await writer.close();
    throw error;
  }
  return writer;
}
