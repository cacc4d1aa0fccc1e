import type { Logger } from 'pino';
import { createActor, fromPromise } from 'xstate';
import {
  reindexMachine,
  requestReindex,
  type BuildResult,
  type ReindexRequest,
} from '../../actors/reindex/machine.ts';
import {
  decide,
  evolve,
  initialState,
  type IndexBuiltData,
  type IndexState,
} from '../../actors/reindex/reindex.ts';
import type { IndexEvent } from '../../events/catalog/catalog.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import type { Codec } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { deterministicId } from '../../events/json.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { PrepareIndex } from '../../events/messages/knowledge.ts';
import type { EventStore } from '../../events/store/store.ts';
import { KnowledgeBaseInvalid } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { createEvents } from '../events.ts';
import { stateHashOf, type StateHashes } from '../state-hashes.ts';
import { compareSources } from './changes.ts';
import type { Instances } from './instances.ts';
import type { Knowledge } from './knowledge.ts';
import { logFaults } from './member.ts';
import type { Recorder } from './recorder.ts';

export interface ReindexerOptions {
  knowledge: Knowledge;
  instances: Instances;
  recorder: Recorder;
  /** As it is on record. */
  state: IndexState;
  logger: Logger;
  now: () => Date;
}

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
  /** Records in the order in which the machine decided. */
  #recorded: Promise<unknown> = Promise.resolve();

  constructor(options: ReindexerOptions) {
    this.#options = options;
    this.#actor = createActor(
      reindexMachine.provide({
        actors: {
          build: fromPromise(({ input, signal }) => this.#build(input, signal)),
          swap: fromPromise(({ input }) => this.#swap(input.index as Prepared)),
        },
      }),
      { input: options.state },
    );
    this.#actor.on('record', ({ request, events }) => this.#record(request, events));
    this.#actor.start();
    // Whoever waits hears of it; without one there is nobody to tell.
    this.#closed.promise.catch(() => undefined);
  }

  stateHashes(): StateHashes {
    return stateHashOf(INDEX_STREAM, this.#actor.getSnapshot().context.state);
  }

  /**
   * Rejects with `REINDEX_RUNNING`, `KB_INVALID`, or what broke the build; then the old index serves everywhere. Resolves
   * when the new one serves in all processes that are there.
   */
  async reindex(request: ReindexRequest): Promise<IndexBuiltData> {
    try {
      const built = await Promise.race([requestReindex(this.#actor, request), this.#closed.promise]);
      await this.#recorded;
      await this.#tellLatecomers(request, built.index);
      return built;
    } finally {
      await this.#recorded;
    }
  }

  /**
   * A build that runs is left behind: the old index is whole. Resolves when what was decided is recorded, so that whoever
   * reindexes next finds on record what was broken off.
   */
  async close(): Promise<void> {
    this.#actor.stop();
    this.#closed.reject(new BelegError('SERVICE_UNAVAILABLE'));
    await this.#recorded;
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

  #record(request: ReindexRequest, drafts: Parameters<typeof createEvents>[0]): void {
    const { recorder, now } = this.#options;
    const cause = {
      stream: INDEX_STREAM,
      at: now().toISOString(),
      correlationId: request.requestId,
      causationId: request.callId,
      traceparent: request.traceparent,
      key: INDEX_STREAM,
    };
    const events = createEvents(drafts, cause, { redact: false });
    if (events.length > 0) {
      this.#recorded = this.#recorded.then(() => recorder.record(INDEX_STREAM, events));
    }
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
 * Closes on record what a crash broke off in the middle. Called before a reindex can be asked for; resolves with the
 * state that it goes on from.
 */
export async function abandonReindex(options: {
  store: EventStore;
  codec: Codec;
  recorder: Recorder;
  now: () => Date;
}): Promise<IndexState> {
  // What an earlier process could not put on record goes there first: it is part of the state.
  await options.recorder.deliver();
  let state = initialState;
  let lastId = '';
  for await (const recorded of options.store.readStream(INDEX_STREAM)) {
    const event = (await options.codec.decode(recorded)) as IndexEvent | undefined;
    if (event === undefined) continue;
    state = evolve(state, event);
    lastId = event.id;
  }
  const drafts = decide({ type: 'AbandonReindex' }, state);
  if (drafts.length === 0) return state;
  // Caused by the start that it ends: closing it twice would be the same event.
  const causationId = deterministicId(INDEX_STREAM, lastId, 'abandoned');
  const at = options.now().toISOString();
  const cause = { stream: INDEX_STREAM, at, correlationId: causationId, causationId, key: INDEX_STREAM };
  await options.recorder.record(INDEX_STREAM, createEvents(drafts, cause, { redact: false }));
  return drafts.reduce(evolve, state);
}
