import { randomUUID } from 'node:crypto';
import { BelegError } from '../../events/errors.ts';
import { newCall, toInstance } from '../../events/messages/define.ts';
import { toBytes } from '../../events/bus/json-bytes.ts';
import {
  Ask,
  InstanceHealth,
  KnowledgeHealth,
  PrepareIndex,
  Reindex,
  progressSubject,
  ShowSource,
  ShowVocabulary,
  SwapIndex,
} from '../../events/messages/knowledge.ts';
import type { FolderChanges } from '../../kb/base/folder-changes.ts';
import { countLeftOut, whyLeftOut } from '../../kb/base/load.ts';
import { letGoFirst } from '../../kb/turns.ts';
import type { AuditLines } from '../foundation/audit-lines.ts';
import type { AnswerModelSettings, KnowledgeSettings } from './settings.ts';
import { allBegun, whileHeld } from '../foundation/lease-holder.ts';
import type { Watch } from '../foundation/watch-followers.ts';
import { Responder } from '../foundation/responder.ts';
import type { StateHashes } from '../foundation/streams/state-hashes.ts';
import type { ASK } from '../../actors/streams/knowledge.ts';
import type { WritersOf } from '../foundation/streams/writers.ts';
import { createAskHandler } from './ask.ts';
import { showVocabulary } from './show-vocabulary.ts';
import { aboutBase, firstLeftOut, reasonsOf, showSource } from './show-source.ts';
import { WorkQueue } from './work-queue.ts';
import { INSTANCE_LEASES, otherInstances } from './instances.ts';
import type { Knowledge } from './index-in-use.ts';
import { indexSwap } from './index-swap.ts';
import { sumOf, worstOf } from './model-condition.ts';
import { areReady, type Models } from './open-models.ts';
import { recorderOf } from './recorder.ts';
import { watchFolder, type FolderWatch } from './folder-watch.ts';
import { openIndexWriter, reindexerOf, type Reindexer } from './reindex.ts';
import type { Spool } from '../foundation/spool.ts';
import { mergeFigures, type OtherSpools } from './spool-slots.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';

const QUEUE = 'knowledge';

interface KnowledgeServiceOptions extends ServiceParts {
  /** The name of this process among the knowledge processes. */
  instance: string;
  asks: WritersOf<typeof ASK>;
  spool: Spool;
  /** The spools of the other processes, if they share a `DATA_DIR`. */
  others?: OtherSpools;
  lines: AuditLines;
  watch?: Pick<Watch, 'degraded'>;
  settings: KnowledgeSettings &
    Pick<AnswerModelSettings, 'askBudgetMs'> & {
      /** Whether answers are recorded, and whether with their text. */
      audit: { enabled: boolean; logContent: boolean };
    };
  knowledge: Knowledge;
  models: Models;
  /** Whether other processes may answer questions that this process does not. */
  hasOthers?: boolean;
  /** Whether the folder of the base is watched; `settings.watch` decides whether its changes are taken in. */
  watchFiles?: boolean;
}

/**
 * Answers `Ask` and `KnowledgeHealth` as one of the knowledge processes. One process at a time also answers `Reindex`,
 * and lets the others take over the new index.
 */
export function serveKnowledge(options: KnowledgeServiceOptions) {
  const { bus, instance, leases, knowledge, models, settings, logger, now, hasOthers = false } = options;
  const recorder = recorderOf(options);
  const limits = { concurrent: settings.maxConcurrentAsks, queued: settings.maxQueuedAsks };
  const queue = new WorkQueue(limits);
  const modelQueue = new WorkQueue(limits);
  // Work on the index gives way while asks run, so that it does not slow them down. It does not wait for asks that only
  // wait for a language model.
  const endOfAsks = letGoFirst(() => queue.running > 0);
  const instances = otherInstances(options);
  const requests = new Responder(options, QUEUE);

  const ask = createAskHandler({
    knowledge,
    models,
    queue,
    modelQueue,
    budgetMs: settings.askBudgetMs,
    recorder: settings.audit.enabled ? recorder : null,
    reviewMode: settings.reviewMode,
    redact: !settings.audit.logContent,
    actors: options.actors,
    tell: (token, progress) => bus.publish(progressSubject(token), toBytes(progress)),
    now,
  });
  requests.answer(Ask, ask);
  requests.answer(ShowSource, async ({ id }) => showSource(knowledge.index, id));

  requests.answer(ShowVocabulary, () => showVocabulary(knowledge.index.review));

  let watching: FolderWatch | null = null;
  const ownHealth = () => ({
    index: knowledge.index.hash,
    built_at: knowledge.index.builtAt,
    answering: areReady(models),
    model: models.condition(),
    figures: models.watch?.figures() ?? null,
    ...recorder.status(),
    files_newer_since: watching?.newerSince()?.toISOString() ?? null,
    files_trouble: watching?.trouble() ?? null,
    clock_wrong: options.watch?.degraded().includes('clock') === true,
    spools: [...recorder.spools()],
  });
  requests.answer(KnowledgeHealth, async (_, call) => {
    const all = [ownHealth(), ...(await instances.health(call))];
    const spools = mergeFigures(all.flatMap(({ spools }) => spools));
    const indexes = [...new Set(all.map(({ index }) => index))];
    if (indexes.length > 1) logger.error({ indexes }, 'the processes use different indexes; run a reindex');
    return {
      index: {
        ready: true,
        sources: knowledge.index.sources.length,
        passages: knowledge.index.passageCount,
        built_at: newestOf(all.map(({ built_at }) => built_at)),
        files: {
          read: knowledge.index.files.read,
          left_out: countLeftOut(knowledge.index.files),
          reasons: whyLeftOut(knowledge.index.files),
          left_out_files: firstLeftOut(knowledge.index.files.leftOut),
          newer_since: all.map((one) => one.files_newer_since).find((since) => since !== null) ?? null,
          trouble: all.map((one) => one.files_trouble).find((trouble) => trouble !== null) ?? null,
        },
      },
      answering: all.every(({ answering }) => answering),
      model: {
        name: (models.model ?? models.quoting).name,
        ...worstOf(all.map(({ model }) => model)),
        ready: all.every(({ answering, model }) => answering && model.state !== 'away'),
        verifier: models.entailment?.name ?? null,
        reranker: models.reranker?.name ?? null,
      },
      figures: sumOf(all.map(({ figures }) => figures)),
      base: aboutBase(knowledge.index, knowledge.folder),
      retrieval: knowledge.index.retrieval,
      review_mode: settings.reviewMode,
      spooled: spools.waiting,
      lost: spools.lost,
      losing: all.some(({ losing }) => losing),
      clock_wrong: all.some(({ clock_wrong }) => clock_wrong),
      instances: all.length,
      indexes,
    };
  });

  const taking = indexSwap({ ...options, instances });
  requests.answer(toInstance(InstanceHealth, instance), async () => ownHealth());
  requests.answer(toInstance(PrepareIndex, instance), async ({ index, request_id }) => ({
    index: await taking.prepare(index, request_id),
  }));
  requests.answer(toInstance(SwapIndex, instance), async ({ index }) => {
    taking.swap(index);
    return { index };
  });

  // Nobody competes for this lease. It shows that this process exists, so that others call it when they swap the index.
  const joined = whileHeld(leases, `${INSTANCE_LEASES}${instance}`, async () => {
    const left = new AbortController();
    // Runs in the background. It never rejects, and nothing waits for it.
    void taking.catchUp(left.signal);
    return async () => left.abort();
  });

  const takingInWith = (reindexer: Reindexer) =>
    settings.watch
      ? async ({ added, changed, removed }: FolderChanges): Promise<void> => {
          const [first] = [...added, ...changed, ...removed];
          const files = { added: added.length, changed: changed.length, removed: removed.length };
          const call = newCall(randomUUID());
          logger.info(
            { request_id: call.correlationId, ...files, first },
            'files of the knowledge base have changed and are taken in',
          );
          await reindexer.reindex(call, files);
        }
      : null;

  const recordingStart = (reindexer: Reindexer): Promise<void> =>
    reindexer.recordStart(newCall(randomUUID())).catch((error: unknown) => {
      logger.warn(
        { err: error },
        'files that had changed before the start are in service, and not on record',
      );
    });

  let held: Reindexer | null = null;
  const reindexing = whileHeld(leases, 'knowledge-index', async (giveUp) => {
    const { store, codec } = options;
    const writer = await openIndexWriter({ store, codec, now, onLost: giveUp });
    const reindexer = (held = reindexerOf({ ...options, instances, writer }));
    const reindexes = new Responder(options, QUEUE, 'knowledge-index');
    reindexes.answer(Reindex, async ({ request_id }, { callId, trace }) => {
      const { built, leftOut } = await reindexer.reindex({ correlationId: request_id, callId, trace });
      const { index: _, ...data } = built;
      return { status: 'reindexed' as const, ...data, left_out: reasonsOf(leftOut) };
    });
    const left = new AbortController();
    const watchOnceRecorded = async (): Promise<void> => {
      // The folder is watched only after this, because there can be only one reindex at a time.
      await recordingStart(reindexer);
      if (options.watchFiles === true && !left.signal.aborted)
        watching = watchFolder({ ...options, take: takingInWith(reindexer) });
    };
    const begun = watchOnceRecorded();
    return async () => {
      await reindexes.leave();
      left.abort();
      const watched = watching;
      held = watching = null;
      // The watch closes first, because closing the reindexer would wait for a reindex that the watch began.
      const closed = watched?.close();
      await reindexer.close();
      await begun;
      await closed;
    };
  });

  return {
    /**
     * Resolves when this process runs the reindexes for the first time. A standby process serves without. Rejects if it
     * could not begin.
     */
    allHeld: allBegun([joined, reindexing]),
    /** The state of this process alone, for readiness and metrics. */
    status: () => ({
      index: {
        hash: knowledge.index.hash,
        passages: knowledge.index.passageCount,
        builtAt: knowledge.index.builtAt,
      },
      /** The language model's condition; `null` if there is no model server. */
      model: models.watch && { ...models.watch.condition(), ...models.watch.figures() },
      /**
       * `atModel`: asks that the language model works on, or that wait for it; the other two figures do not include
       * them.
       */
      asks: { running: queue.running, queued: queue.queued, atModel: modelQueue.running + modelQueue.queued },
      ...recorder.status(),
      spools: mergeFigures(recorder.spools()),
    }),
    /** State hashes of the streams that this process holds. */
    stateHashes: (): StateHashes => held?.stateHashes() ?? {},
    /**
     * Called before the bus is drained. Waiting asks are refused, so that a stop need not wait for them: a gateway
     * sends them again, to another process if there is one. Ends a running reindex for the same reason, and releases
     * the leases, so that another process takes over at once. If there is no other process, asks that get a place are
     * answered until the bus is drained.
     */
    async leave(): Promise<void> {
      if (hasOthers) await requests.leave();
      const stopping = { retryAfter: 1 };
      queue.close(new BelegError('RESPONDER_LOST', stopping));
      // Asks that wait for the language model are answered without it.
      modelQueue.close(new BelegError('OVERLOADED', stopping));
      await reindexing.end();
      await joined.end();
    },
    /** Called after the bus is drained. Ends the delivery from the spool. */
    async close(): Promise<void> {
      endOfAsks();
      await recorder.close();
    },
  };
}

/** The newest of several times in ISO 8601. */
const newestOf = (times: readonly (string | null)[]): string | null =>
  times.reduce((newest, time) => (newest === null || (time !== null && time > newest) ? time : newest), null);

export type KnowledgeService = ReturnType<typeof serveKnowledge>;
