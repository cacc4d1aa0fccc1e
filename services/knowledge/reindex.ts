import type { Logger } from 'pino';
import { createActor, fromPromise } from 'xstate';
import {
  reindexMachine,
  requestReindex,
  type BuildResult,
  type ReindexRequest,
} from '../../actors/reindex/machine.ts';
import { decide, evolve, initialState, type IndexBuiltData } from '../../actors/reindex/reindex.ts';
import type { IndexEvent } from '../../events/catalog/catalog.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import type { Codec } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import { deterministicId } from '../../events/json.ts';
import type { EventStore } from '../../events/store/store.ts';
import { formatFault, KnowledgeBaseInvalid } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { createEvents } from '../events.ts';
import { compareSources } from './changes.ts';
import type { Knowledge } from './knowledge.ts';
import type { Recorder } from './recorder.ts';

export interface ReindexerOptions {
  knowledge: Knowledge;
  recorder: Recorder;
  logger: Logger;
  now: () => Date;
}

/** Runs the reindex machine: one build at a time, asks go on meanwhile, every step on record. */
export class Reindexer {
  readonly #options: ReindexerOptions;
  readonly #actor;
  /** Rejects when the reindexer closes. */
  readonly #closed = Promise.withResolvers<never>();
  /** Records in the order in which the machine decided. */
  #recorded: Promise<unknown> = Promise.resolve();

  constructor(options: ReindexerOptions) {
    this.#options = options;
    const { knowledge } = options;
    this.#actor = createActor(
      reindexMachine.provide({
        actors: {
          build: fromPromise(({ input }) => this.#build(input)),
          swap: fromPromise(async ({ input }) => knowledge.swap(input.index as KnowledgeIndex)),
        },
      }),
    );
    this.#actor.on('record', ({ request, events }) => this.#record(request, events));
    this.#actor.start();
    // Whoever waits hears of it; without one there is nobody to tell.
    this.#closed.promise.catch(() => undefined);
  }

  /** Rejects with `REINDEX_RUNNING`, `KB_INVALID`, or what broke the build. Resolves when the new index serves. */
  async reindex(request: ReindexRequest): Promise<IndexBuiltData> {
    try {
      return await Promise.race([requestReindex(this.#actor, request), this.#closed.promise]);
    } finally {
      await this.#recorded;
    }
  }

  /** A build that runs is left behind: the old index is whole. */
  close(): void {
    this.#actor.stop();
    this.#closed.reject(new BelegError('SERVICE_UNAVAILABLE'));
  }

  async #build({ requestId }: ReindexRequest): Promise<BuildResult> {
    const { knowledge, logger } = this.#options;
    const started = performance.now();
    try {
      const index = await knowledge.build();
      const data: IndexBuiltData = {
        index: index.hash,
        passages: index.passageCount,
        sources: index.sources.length,
        ...compareSources(knowledge.index.sources, index.sources),
        duration_ms: Math.round(performance.now() - started),
        built_at: index.builtAt,
      };
      return { outcome: 'built', index, data };
    } catch (error) {
      if (!(error instanceof KnowledgeBaseInvalid)) {
        throw new BelegError('SERVICE_UNAVAILABLE', { detail: 'The index could not be built', cause: error });
      }
      // The caller learns how many; which files they are in is the operator's to know.
      for (const fault of error.faults) {
        logger.error({ request_id: requestId, fault: formatFault(fault) }, 'knowledge base fault');
      }
      return { outcome: 'invalid', faults: error.faults.length };
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

/** Closes on record what a crash broke off in the middle. Called at start, before a reindex can be asked for. */
export async function abandonReindex(options: {
  store: EventStore;
  codec: Codec;
  recorder: Recorder;
  now: () => Date;
}): Promise<void> {
  let state = initialState;
  let lastId = '';
  for await (const recorded of options.store.readStream(INDEX_STREAM)) {
    const event = (await options.codec.decode(recorded)) as IndexEvent | undefined;
    if (event === undefined) continue;
    state = evolve(state, event);
    lastId = event.id;
  }
  const drafts = decide({ type: 'AbandonReindex' }, state);
  if (drafts.length === 0) return;
  // Caused by the start that it ends: closing it twice would be the same event.
  const causationId = deterministicId(INDEX_STREAM, lastId, 'abandoned');
  const at = options.now().toISOString();
  const cause = { stream: INDEX_STREAM, at, correlationId: causationId, causationId, key: INDEX_STREAM };
  await options.recorder.record(INDEX_STREAM, createEvents(drafts, cause, { redact: false }));
}
