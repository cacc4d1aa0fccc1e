import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { InProcessBus } from '../../../events/bus/in-process.ts';
import {
  Erase,
  ListInteractions,
  MakeCheckpoint,
  RebuildAuditTables,
  RebuildTradingTables,
  RecordStatus,
  ShowInteraction,
} from '../../../events/messages/audit.ts';
import { serve, type RequestDefinition } from '../../../events/messages/define.ts';
import { AuditHealth, Comment, Rate } from '../../../events/messages/feedback.ts';
import {
  Ask,
  KnowledgeHealth,
  Reindex,
  ShowSource,
  ShowVocabulary,
  type AskResponse,
} from '../../../events/messages/knowledge.ts';
import { lagOf } from '../../../events/messages/lag.ts';
import { CHECKPOINT, INTERACTION, RECORD, SHOWN } from './audit-document.ts';
import { ANSWERED, REINDEXED, SOURCE_TEXT, VOCABULARY } from './examples.ts';

type Handler<D> =
  D extends RequestDefinition<infer Req, infer Rep>
    ? (request: z.output<Req>, requestId: string) => Promise<z.input<Rep>> | z.input<Rep>
    : never;

/** What each service answers; a test replaces what it is about. */
export interface Script {
  ask: Handler<typeof Ask>;
  source: Handler<typeof ShowSource>;
  vocabulary: Handler<typeof ShowVocabulary>;
  rate: Handler<typeof Rate>;
  comment: Handler<typeof Comment>;
  reindex: Handler<typeof Reindex>;
  knowledgeHealth: Handler<typeof KnowledgeHealth>;
  auditHealth: Handler<typeof AuditHealth>;
  /** Of the audit tables; the others are not there. */
  lag: Handler<ReturnType<typeof lagOf>>;
  listInteractions: Handler<typeof ListInteractions>;
  showInteraction: Handler<typeof ShowInteraction>;
  recordStatus: Handler<typeof RecordStatus>;
  erase: Handler<typeof Erase>;
  checkpoint: Handler<typeof MakeCheckpoint>;
  rebuildAudit: Handler<typeof RebuildAuditTables>;
  rebuildTrading: Handler<typeof RebuildTradingTables>;
}

/** An answer as the knowledge service would give it. */
export function answerTo(
  question: string,
  requestId: string,
  differences: Partial<AskResponse> = {},
): AskResponse {
  return { ...ANSWERED, question, request_id: requestId, ...differences };
}

export const HEALTHY_KNOWLEDGE = {
  index: { ready: true, passages: 412, built_at: '2026-01-15T08:00:00.000Z' },
  answering: true,
  figures: null,
  model: {
    name: 'extractive',
    ready: true,
    state: 'ready' as const,
    since: '2026-01-15T08:00:00.000Z',
    reason: null,
    verifier: null,
    reranker: null,
  },
  base: {
    title: 'Lohn und Gehalt',
    as_of: '2022-03',
    topics: ['Urlaub'],
    questions: ['Wie viele Urlaubstage stehen mir zu?'],
  },
  retrieval: 'lexical',
  review_mode: false,
  spooled: 0,
  lost: 0,
  losing: false,
  instances: 1,
  indexes: ['f0f0'],
};

/** Scripted stand-ins for the services behind the gateway, on a bus of their own. */
export function startFakeServices(changes: Partial<Script> = {}): {
  bus: MessageBus;
  script: Script;
  faults: unknown[];
} {
  const faults: unknown[] = [];
  const broker = new InProcessBus();
  const services = broker.connect((error) => faults.push(error));
  const ratings = new Map<string, string>();
  let comments = 0;
  const script: Script = {
    ask: ({ question, request_id }) => answerTo(question, request_id),
    source: ({ id }) => ({ ...SOURCE_TEXT, id }),
    vocabulary: () => VOCABULARY,
    rate: ({ request_id, rating }) => {
      const updated = ratings.has(request_id);
      ratings.set(request_id, rating);
      return { api_version: 'v1', request_id, rating, updated };
    },
    comment: ({ request_id }) => ({ api_version: 'v1', request_id, comment_id: ++comments }),
    reindex: () => REINDEXED,
    knowledgeHealth: () => HEALTHY_KNOWLEDGE,
    auditHealth: () => ({ enabled: true, ready: true, checkpoint: null }),
    lag: () => ({ name: 'audit', seconds: 0, events: 0, behind: false }),
    listInteractions: () => ({ interactions: [INTERACTION], next: null }),
    showInteraction: () => SHOWN,
    recordStatus: () => RECORD,
    erase: ({ request_id }) => ({ request_id, erased_at: '2026-01-15T08:00:00.000Z', repeated: false }),
    checkpoint: () => CHECKPOINT,
    rebuildAudit: () => ({ name: 'audit', position: '8', duration_ms: 5 }),
    rebuildTrading: () => ({ name: 'trading', position: '9', duration_ms: 6 }),
    ...changes,
  };
  const run = <Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    handler: () => Handler<RequestDefinition<Req, Rep>>,
  ) =>
    serve(
      services,
      definition,
      'fake',
      async (request, { correlationId }) => handler()(request, correlationId),
      (error) => faults.push(error),
    );
  run(Ask, () => script.ask);
  run(ShowSource, () => script.source);
  run(ShowVocabulary, () => script.vocabulary);
  run(Rate, () => script.rate);
  run(Comment, () => script.comment);
  run(Reindex, () => script.reindex);
  run(KnowledgeHealth, () => script.knowledgeHealth);
  run(AuditHealth, () => script.auditHealth);
  run(lagOf('audit'), () => script.lag);
  run(ListInteractions, () => script.listInteractions);
  run(ShowInteraction, () => script.showInteraction);
  run(RecordStatus, () => script.recordStatus);
  run(Erase, () => script.erase);
  run(MakeCheckpoint, () => script.checkpoint);
  run(RebuildAuditTables, () => script.rebuildAudit);
  run(RebuildTradingTables, () => script.rebuildTrading);
  return { bus: broker.connect((error) => faults.push(error)), script, faults };
}
