import { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { call, type CallContext } from '../../../events/messages/define.ts';
import { AuditHealth } from '../../../events/messages/feedback.ts';
import { API_VERSION, KnowledgeHealth, type ModelFigures } from '../../../events/messages/knowledge.ts';
import { FOLLOWERS, Lag, lagOf, type FollowerLag } from '../../../events/messages/follower-lag.ts';
import { canRecord, recordingTroubles } from '../../foundation/recording.ts';
import { VERSION } from '../../foundation/version.ts';

/** `GET /v1/health`. */
export const HealthResponse = z.object({
  status: z
    .enum(['ok', 'degraded', 'unavailable'])
    .describe(
      'degraded: questions are answered, but some events cannot be recorded, the record cannot be read, a file of the record was removed under the running service or is damaged, text on record cannot be opened, a follower is behind the record, a clock is wrong, the language model is not used, files of the knowledge base cannot be used, or its folder is away or cannot be taken in; unavailable: no question is answered',
    ),
  degraded_by: z
    .array(z.enum(['folder', 'record', 'clock', 'model', 'files']))
    .describe(
      'What is degraded, the gravest first: the folder of the knowledge base, the record (`audit` and `followers` say what: events that wait or are lost, text without its key, a file, a follower), the clock of a machine (set back, or other than that of the bus), the language model, single files',
    ),
  api_version: z.literal(API_VERSION),
  version: z.string(),
  index: KnowledgeHealth.reply.shape.index,
  model: KnowledgeHealth.reply.shape.model,
  base: KnowledgeHealth.reply.shape.base.describe('Description of the knowledge base, if it has one'),
  retrieval: KnowledgeHealth.reply.shape.retrieval.describe('Search method'),
  audit: z.object({
    enabled: z.boolean(),
    ready: z.boolean(),
    spooled: z
      .int()
      .nullable()
      .describe(
        'Events waiting to be recorded; `null` while no process answers that could have counted them',
      ),
    keys_missing: z
      .int()
      .nullable()
      .describe(
        'Requests whose text cannot be opened any more because its key is missing, although nobody erased it; `null` until they have been counted',
      ),
    files_missing: z
      .array(z.string())
      .describe(
        'Files of the record that were removed or replaced under the running service and could not be put back; the log says what to do',
      ),
    files_damaged: z
      .array(z.string())
      .describe(
        'Files of the record whose content is damaged: nothing is written to them any more; stop the service and put a backup in their place',
      ),
    set_aside: z.int().describe('Events that could not be applied to the audit tables and were set aside'),
    lost: z
      .int()
      .nullable()
      .describe(
        'Events lost because they could be stored nowhere, over all restarts until an operator resets it; `null` like `spooled`',
      ),
  }),
  followers: z.array(Lag).describe('How far each follower is behind the record'),
  review_mode: z.boolean(),
});
export type HealthResponse = z.output<typeof HealthResponse>;

type Knowledge = z.output<typeof KnowledgeHealth.reply>;
type Audit = z.output<typeof AuditHealth.reply>;

const orNull = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

/**
 * Asks both services and the followers. A service that does not answer is not ready; a follower that does not answer is
 * left out.
 */
export async function readHealth(
  bus: MessageBus,
  context: CallContext,
): Promise<{ health: HealthResponse; figures: ModelFigures | null }> {
  const [knowledge, audit, ...lags] = await Promise.all([
    orNull(call(bus, KnowledgeHealth, {}, context)),
    orNull(call(bus, AuditHealth, {}, context)),
    ...FOLLOWERS.map((name) => orNull(call(bus, lagOf(name), {}, context))),
  ]);
  const health = mergeHealth(
    knowledge,
    audit,
    lags.filter((lag) => lag !== null),
  );
  return { health, figures: knowledge?.figures ?? null };
}

function mergeHealth(
  knowledge: Knowledge | null,
  audit: Audit | null,
  followers: FollowerLag[],
): HealthResponse {
  const { index, answering, model, base, retrieval, review_mode, spooled, lost, losing, clock_wrong } =
    knowledge ?? ABSENT;
  // An audit service that does not answer may still be enabled.
  const { enabled, ready, keys_missing, files_missing, files_damaged, set_aside } = audit ?? SILENT;
  const files = { missing: files_missing, damaged: files_damaged };
  // Who follows the record for the audit tables is who would see that it is away, or that nobody follows it.
  const followed = followers.some(({ name }) => name === 'audit');
  const recording =
    (!enabled || (ready && followed && (keys_missing ?? 0) === 0 && set_aside === 0)) &&
    followers.every(({ record_away }) => !record_away) &&
    recordingTroubles({ spooled, lost, losing, files, followers }).length === 0;
  const writing = model.ready && model.state === 'ready';
  // An empty document is counted as unreadable, but nobody misses its content.
  const empty = index.files.reasons.find(({ reason }) => reason === 'has no text')?.files ?? 0;
  const troubles = {
    folder: index.files.trouble !== null,
    record: !recording,
    clock: clock_wrong || followers.some((follower) => follower.clock_wrong),
    model: !writing,
    files: index.files.left_out !== empty,
  };
  const degradedBy = (['folder', 'record', 'clock', 'model', 'files'] as const).filter(
    (part) => troubles[part],
  );
  return {
    status: !index.ready || !answering ? 'unavailable' : degradedBy.length === 0 ? 'ok' : 'degraded',
    degraded_by: degradedBy,
    api_version: API_VERSION,
    version: VERSION,
    index,
    model,
    base,
    retrieval,
    // The audit is not ready while events are being lost, or nothing may be written.
    audit: {
      enabled,
      ready: ready && canRecord({ losing, files }),
      keys_missing,
      files_missing,
      files_damaged,
      set_aside,
      spooled: knowledge === null ? null : spooled,
      lost: knowledge === null ? null : lost,
    },
    followers: followers.map((follower) => Lag.parse(follower)),
    review_mode,
  };
}

const SILENT = {
  enabled: true,
  ready: false,
  keys_missing: null,
  files_missing: [],
  files_damaged: [],
  set_aside: 0,
};

const ABSENT: Knowledge = {
  index: {
    ready: false,
    sources: 0,
    passages: 0,
    built_at: null,
    files: { read: 0, left_out: 0, reasons: [], left_out_files: [], newer_since: null, trouble: null },
  },
  answering: false,
  model: {
    name: '',
    ready: false,
    state: 'away',
    since: new Date().toISOString(),
    reason: null,
    verifier: null,
    reranker: null,
  },
  figures: null,
  base: null,
  retrieval: '',
  review_mode: false,
  spooled: 0,
  lost: 0,
  losing: false,
  clock_wrong: false,
  instances: 0,
  indexes: [],
};
