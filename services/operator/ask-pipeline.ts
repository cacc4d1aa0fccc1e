import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { z } from 'zod';
import { Ask } from '../../events/messages/knowledge.ts';
import type { Settings } from '../composition/settings.ts';
import { ActorHost } from '../foundation/actor-host.ts';
import { createAskHandler } from '../knowledge/ask.ts';
import { WorkQueue } from '../knowledge/work-queue.ts';
import { openKnowledge } from '../knowledge/index-in-use.ts';
import { openModels } from '../knowledge/open-models.ts';

/**
 * Runs the service's pipeline from question to answer, with the settings' base and models, and records nothing. One
 * question at a time. Rejects with `KnowledgeBaseInvalid` and `LocalModelInvalid`.
 */
export async function openPipeline(settings: Settings, { reviewMode }: { reviewMode: boolean }) {
  const knowledge = await openKnowledge(settings);
  const logger = pino({ level: settings.logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
  const models = await openModels(settings, logger);
  const handle = createAskHandler({
    knowledge,
    models,
    queue: new WorkQueue({ concurrent: 1, queued: 0 }),
    modelQueue: new WorkQueue({ concurrent: 1, queued: 0 }),
    budgetMs: settings.askBudgetMs,
    recorder: null,
    reviewMode,
    redact: false,
    actors: new ActorHost({ logger }),
    now: () => new Date(),
  });
  return {
    languages: knowledge.index.languages,
    sources: knowledge.index.sources,
    /** Answers a question. Rejects as the service would. */
    answer: (request: z.output<typeof Ask.request>) =>
      handle(request, {
        correlationId: request.request_id,
        callId: randomUUID(),
        deadline: new Date(Date.now() + Ask.timeoutMs),
      }),
    async [Symbol.asyncDispose]() {
      await knowledge.close();
      await models.close();
    },
  };
}
