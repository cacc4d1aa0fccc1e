import type { Logger } from 'pino';
import type { MessageBus } from '../../events/bus/bus.ts';
import type { Codec } from '../../events/define.ts';
import { serve } from '../../events/messages/define.ts';
import { Ask, KnowledgeHealth, Reindex } from '../../events/messages/knowledge.ts';
import type { EventStore } from '../../events/store/store.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { createExtractiveGenerator } from '../../actors/ask/extractive/generator.ts';
import type { AuditLines } from '../audit/lines.ts';
import type { Settings } from '../config.ts';
import { logFailure } from '../log-failure.ts';
import type { Turns } from '../../events/turns.ts';
import { createAskHandler } from './ask.ts';
import { Gate } from './gate.ts';
import type { Knowledge } from './knowledge.ts';
import { Recorder } from './recorder.ts';
import { abandonReindex, Reindexer } from './reindex.ts';
import type { Spool } from './spool.ts';

const QUEUE = 'knowledge';

export interface KnowledgeServiceOptions {
  bus: MessageBus;
  store: EventStore;
  vault: Vault;
  codec: Codec;
  turns: Turns;
  spool: Spool;
  lines: AuditLines;
  logger: Logger;
  settings: Settings;
  knowledge: Knowledge;
  now: () => Date;
}

export interface KnowledgeService {
  /** Turns down a reindex that runs, so that a stop need not wait for it. */
  stopReindex(): void;
  /** After the bus is drained: stops delivering what is spooled. */
  close(): Promise<void>;
}

/** Answers `Ask`, `Reindex` and `KnowledgeHealth` on the bus. */
export async function serveKnowledge(options: KnowledgeServiceOptions): Promise<KnowledgeService> {
  const { bus, knowledge, settings, logger, now } = options;
  const generator = createExtractiveGenerator();
  const recorder = new Recorder(options);
  await abandonReindex({ ...options, recorder });
  const reindexer = new Reindexer({ knowledge, recorder, logger, now });
  const gate = new Gate({ concurrent: settings.maxConcurrentAsks, queued: settings.maxQueuedAsks });
  const onError = logFailure(logger);

  const ask = createAskHandler({
    index: () => knowledge.index,
    generator,
    gate,
    recorder: settings.audit.enabled ? recorder : null,
    redact: !settings.audit.logContent,
    now,
  });
  serve(bus, Ask, QUEUE, ask, onError);

  serve(
    bus,
    Reindex,
    QUEUE,
    async ({ request_id }, { callId, trace }) => {
      const { index: _, ...data } = await reindexer.reindex({
        requestId: request_id,
        callId,
        traceparent: trace?.traceparent,
      });
      return { status: 'reindexed' as const, ...data };
    },
    onError,
  );

  serve(
    bus,
    KnowledgeHealth,
    QUEUE,
    async () => ({
      index: { ready: true, passages: knowledge.index.passageCount, built_at: knowledge.index.builtAt },
      model: { name: generator.name, ready: generator.ready },
      retrieval: knowledge.index.retrieval,
      review_mode: settings.reviewMode,
      ...recorder.status(),
    }),
    onError,
  );

  return {
    stopReindex: () => reindexer.close(),
    close: () => recorder.close(),
  };
}
