import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { call } from '../events/messages/define.ts';
import { Ask, type AskResponse } from '../events/messages/knowledge.ts';
import type { Source } from '../kb/source.ts';
import { ActorHost } from '../services/foundation/actor-host.ts';
import { noAuditLines } from '../services/foundation/audit-lines.ts';
import { askWriters } from '../services/foundation/streams/ask-writers.ts';
import { readSettings } from '../services/composition/settings.ts';
import type { Environment } from '../services/foundation/settings-error.ts';
import { openKnowledge } from '../services/knowledge/index-in-use.ts';
import { openModels } from '../services/knowledge/open-models.ts';
import { serveKnowledge } from '../services/knowledge/serve-knowledge.ts';
import { openRuntime } from '../services/composition/runtime.ts';

export interface Response extends AskResponse {
  readonly qid: string;
  /** Ids of the sources found, best first, whether or not they were cited. */
  readonly hits: readonly string[];
  /** The one that the search alone puts first, before anything is ranked. */
  readonly foundFirst: string | undefined;
}

export interface Pipeline {
  readonly passages: number;
  /** `lexical`, or `lexical+dense:<model>`. */
  readonly retrieval: string;
  /** Milliseconds to read and index the base. */
  readonly indexMs: number;
  ask(qid: string, question: string): Promise<Response>;
  source(id: string): Source | undefined;
  close(): Promise<void>;
}

const HITS = 10;

const now = (): Date => new Date();

/** The knowledge service as it runs in one process, asked over the in-process bus; without gateway and audit. */
export async function openPipeline(
  kbPath: string,
  dataDir: string,
  more: Environment = {},
): Promise<Pipeline> {
  const settings = readSettings({
    PV_KB_PATH: kbPath,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...more,
  });
  const logger = pino({ level: settings.logLevel });
  const started = performance.now();
  const knowledge = await openKnowledge(settings);
  const indexMs = performance.now() - started;
  const models = await openModels(settings, logger);
  const runtime = await openRuntime({ ...settings, dataDir: join(dataDir, 'runtime') }, logger);
  const asks = askWriters({
    store: runtime.store,
    codec: runtime.codec,
    now,
    redact: !settings.audit.logContent,
  });
  const service = serveKnowledge({
    ...runtime,
    asks,
    knowledge,
    models,
    settings,
    logger,
    lines: noAuditLines,
    now,
    actors: new ActorHost({ logger }),
  });
  return {
    passages: knowledge.index.passageCount,
    retrieval: knowledge.index.retrieval,
    indexMs,
    async ask(qid, question) {
      const id = randomUUID();
      const response = await call(
        runtime.bus,
        Ask,
        { question, request_id: id },
        { correlationId: id, callId: id },
      );
      const hits = await knowledge.index.search(question, { topK: HITS });
      const [found] = await knowledge.index.search(question, { topK: 1, forFact: true });
      return { ...response, qid, hits: hits.map((hit) => hit.source.id), foundFirst: found?.source.id };
    },
    source: (id) => knowledge.index.source(id),
    async close() {
      await service.leave();
      await runtime.bus.drain();
      await service.close();
      await asks.close();
      await runtime.close();
      await models.close();
      await knowledge.close();
    },
  };
}
