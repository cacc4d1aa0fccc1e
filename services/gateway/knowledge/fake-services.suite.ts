import type { MessageBus } from '../../../events/bus/bus.ts';
import {
  Erase,
  ListInteractions,
  MakeCheckpoint,
  RebuildAuditTables,
  RebuildTradingTables,
  RecordStatus,
  ShowInteraction,
} from '../../../events/messages/audit.ts';
import { ListActors } from '../../../events/messages/actors.ts';
import { AuditHealth, Comment, Rate } from '../../../events/messages/feedback.ts';
import {
  Ask,
  KnowledgeHealth,
  Reindex,
  ShowSource,
  ShowVocabulary,
  type AskResponse,
} from '../../../events/messages/knowledge.ts';
import { lagOf } from '../../../events/messages/follower-lag.ts';
import { startScripted, type ScriptOf } from '../scripted-services.suite.ts';
import {
  CHECKPOINT,
  INTERACTION,
  RECORD,
  SHOWN,
  ANSWERED,
  REINDEXED,
  SOURCE_TEXT,
  VOCABULARY,
} from './fake-replies.suite.ts';

/** Every message of the services behind the gateway. */
const MESSAGES = {
  ask: Ask,
  source: ShowSource,
  vocabulary: ShowVocabulary,
  rate: Rate,
  comment: Comment,
  reindex: Reindex,
  knowledgeHealth: KnowledgeHealth,
  auditHealth: AuditHealth,
  /** The lag of the audit tables; the other followers do not answer. */
  lag: lagOf('audit'),
  listInteractions: ListInteractions,
  showInteraction: ShowInteraction,
  recordStatus: RecordStatus,
  erase: Erase,
  checkpoint: MakeCheckpoint,
  rebuildAudit: RebuildAuditTables,
  rebuildTrading: RebuildTradingTables,
  actors: ListActors,
};
export type Script = ScriptOf<typeof MESSAGES>;

/** An answer as the knowledge service would give it. */
export function answerTo(
  question: string,
  requestId: string,
  differences: Partial<AskResponse> = {},
): AskResponse {
  return { ...ANSWERED, question, request_id: requestId, ...differences };
}

export const HEALTHY_KNOWLEDGE = {
  index: {
    ready: true,
    sources: 380,
    passages: 412,
    built_at: '2026-01-15T08:00:00.000Z',
    files: { read: 160, left_out: 0, reasons: [], left_out_files: [], newer_since: null, trouble: null },
  },
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
    actors: () => ({
      processes: 1,
      counts: [{ kind: 'ask', state: 'asked.retrieving', count: 2 }],
      actors: [],
    }),
    ...changes,
  };
  const { bus, faults } = startScripted(MESSAGES, script);
  return { bus, script, faults };
}
