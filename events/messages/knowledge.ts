import { z } from 'zod';
import { Check } from '../catalog/knowledge.ts';
import { defineRequest } from './define.ts';
import { optional, optionalOr } from './optional.ts';
import { DEFAULT_PASSAGES, REQUEST_LIMITS } from './request-limits.ts';
import { visibleText } from './visible-text.ts';

export const API_VERSION = 'v1';

const Key = z
  .string()
  .regex(/^[a-z0-9_.-]+$/, 'Only a-z, 0-9, "_", "." and "-"')
  .max(REQUEST_LIMITS.fact);
const Value = z.string().min(1).max(REQUEST_LIMITS.fact);
const KeyValue = z.strictObject({ key: Key, value: Value });

/** A fact of a review. Many clients send an empty form field as a key without a value; it counts as not given. */
const Fact = z.strictObject({
  key: Key,
  value: z.string().max(REQUEST_LIMITS.fact).nullable().describe('Empty or null: the fact is not given'),
  note: optional(z.string().max(REQUEST_LIMITS.factNote)),
});

function givenOf(facts: z.output<typeof Fact>[]) {
  return facts.flatMap(({ value, ...fact }) =>
    value === null || value.trim() === '' ? [] : [{ ...fact, value }],
  );
}

/** The context of a review: only fields of the schema, no free-form objects. */
export const ReviewContext = z
  .strictObject({
    facts: optional(z.array(Fact).max(REQUEST_LIMITS.facts).transform(givenOf)).describe(
      'Known facts; a year or period can be given in `note`',
    ),
    computation: optional(
      z.strictObject({
        label: z.string().min(1).max(REQUEST_LIMITS.fact),
        result: Value,
        basis: optional(z.string().max(REQUEST_LIMITS.fact)),
        components: optional(z.array(KeyValue).max(REQUEST_LIMITS.facts)),
      }),
    ).describe('The components are added up and compared with `result`; nothing is corrected'),
  })
  .describe(
    'What to review. Use the keys of `GET /v1/review/vocabulary` (`stundenlohn`, `hourly_wage`); other keys are not guessed. No names and no other personal data.',
  );

/** `POST /v1/ask`. */
export const AskRequest = z.strictObject({
  question: visibleText(REQUEST_LIMITS.question),
  top_k: optionalOr(z.int().min(1).max(REQUEST_LIMITS.passages), DEFAULT_PASSAGES).describe(
    `Number of passages to read. Default ${DEFAULT_PASSAGES}`,
  ),
  mode: optionalOr(z.enum(['knowledge', 'review']), 'knowledge').describe(
    '`review` checks `context` against the sources; only available if `review_mode` in `/v1/health` is true. Default `knowledge`',
  ),
  context: optional(ReviewContext),
});

/** Where a source comes from: its publication, or the document that it is a passage of. */
const Original = {
  dated: z
    .boolean()
    .describe(
      'False if the text has no date of its own; `stand` is then the month in which its file was changed',
    ),
  work: z.string().describe('Short name of the publication'),
  url: z
    .string()
    .nullable()
    .describe('Where the original is on the web, http or https; null if the knowledge base does not say'),
  path: z
    .string()
    .nullable()
    .describe(
      'The document that it is a passage of, below the folder of the knowledge base; null if it is not from a document',
    ),
  page: z.int().nullable().describe('Its page in that document, from 1; null if that has no pages'),
};

export const SourceReference = z.object({
  id: z.string(),
  title: z.string(),
  section: z.string(),
  stand: z.string().describe('Year and month, YYYY-MM'),
  ...Original,
  quotes: z
    .array(
      z.object({
        start: z.int(),
        end: z.int(),
        decisive: z.boolean().describe('The sentence that supports the statement'),
      }),
    )
    .describe('Which parts of the text of `GET /v1/sources/{id}` the answer quotes, in UTF-16 code units'),
  text_hash: z
    .string()
    .nullable()
    .describe('SHA-256 of the text that was quoted; null in answers of earlier versions'),
});
export type SourceReference = z.output<typeof SourceReference>;

export const Plausibility = z.object({
  verdict: z
    .enum(['plausible', 'implausible', 'not_checkable'])
    .describe(
      '`plausible`: all checks passed; `implausible`: at least one check found a deviation; `not_checkable`: nothing could be checked',
    ),
  coverage: z
    .object({ checked: z.int(), of: z.int() })
    .optional()
    .describe('How many of the facts, components and sums that were sent were checked'),
  checks: z
    .array(Check)
    .describe(
      'One entry for each line of that section. Arithmetic checks have no source; all others name their sources',
    ),
  not_checked: z
    .array(z.object({ fact: z.string(), reason: z.string() }))
    .optional()
    .describe('Facts and components that were not checked, and why; they do not affect the verdict'),
});

export const AskResponse = z.object({
  api_version: z.literal(API_VERSION),
  request_id: z.string(),
  status: z.enum(['answered', 'refused', 'uncertain']),
  question: z.string(),
  answer: z.string(),
  refused: z.boolean(),
  verified: z.boolean(),
  citations: z.array(z.string()),
  sources: z.array(SourceReference),
  conflicts: z.array(z.object({ text: z.string(), source_ids: z.array(z.string()) })),
  assumptions: z.array(z.never()),
  alternatives: z.array(z.never()),
  clarification_question: z.string().nullable(),
  answer_type: z.enum(['specific', 'overview', 'clarification', 'refusal', 'review']),
  planned: z
    .boolean()
    .describe('True if there were several searches, for the parts of the question or the facts of a review'),
  planned_queries: z.array(z.string()).describe('The searches in order; empty unless `planned` is true'),
  grounding: z.object({
    data_scope: z.enum(['knowledge_base_only', 'knowledge_base_plus_review_context']),
    citations_verified: z.boolean(),
    context_count: z.int(),
    regenerations: z.int(),
    uncovered: z
      .string()
      .nullable()
      .describe('The sentence in the answer that says which parts of the question have no source'),
    parts: z
      .array(z.object({ text: z.string(), covered: z.boolean(), source_ids: z.array(z.string()) }))
      .describe(
        'What the question asks, where it asks several things: of each whether it is answered, and by which sources. Empty where it asks one thing',
      ),
    suggestions: z
      .array(z.string())
      .describe(
        'Titles of sources named in a clarifying question or a refusal; the user can ask about them instead',
      ),
    as_of: z
      .string()
      .nullable()
      .describe('The knowledge base describes the law as of this month, YYYY-MM; null if it does not say'),
    relevance: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Calibrated probability that the answer fits the question; null for a refusal'),
  }),
  n_context: z.int(),
  model: z
    .string()
    .describe(
      'What wrote the answer: the name of a language model, or `extractive` for sentences from the sources',
    ),
  latency_ms: z.int(),
  regenerations: z.int().describe('Number of drafts that failed verification and were written again'),
  ratings_enabled: z.boolean(),
  mode: z.enum(['knowledge', 'review']),
  plausibility: Plausibility.optional().describe(
    'Only in review mode; the same findings as in the last section of `answer`',
  ),
});
export type AskResponse = z.output<typeof AskResponse>;

/** `GET /v1/sources/{id}`: a source as it is quoted. */
export const SourceText = z.object({
  id: z.string(),
  title: z.string(),
  section: z.string(),
  stand: z.string().describe('Year and month of the last change of the text, YYYY-MM'),
  ...Original,
  year: z.int().nullable().describe('Calendar year for which its values are valid, if any'),
  text: z.string().describe('The text that `quotes` in an answer refers to'),
  text_hash: z.string().describe('SHA-256 of `text`'),
});
export type SourceText = z.output<typeof SourceText>;

/**
 * `GET /v1/review/vocabulary`: the facts that a review understands. A key is looked up here, ignoring differences of
 * spelling; it is never guessed.
 */
export const Vocabulary = z.object({
  quantities: z.array(
    z.object({
      key: z.string(),
      spellings: z
        .array(z.string())
        .describe('Other accepted keys; case, umlauts, "-", "_" and "." make no difference'),
      english: z.array(z.string()).describe('Accepted English keys'),
      shared: z
        .array(z.string())
        .optional()
        .describe(
          'Keys that may mean this or another quantity: a value is right if it is right in one of them',
        ),
      kind: z
        .enum([
          'amount',
          'rate',
          'days',
          'hours',
          'count',
          'duration',
          'date',
          'month',
          'yes_no',
          'choice',
          'code',
        ])
        .describe('Type of the value'),
      unit: z.string().nullable().describe('Unit that is assumed if the value has none'),
      period: z
        .enum(['hour', 'day', 'week', 'month', 'year'])
        .nullable()
        .describe('Period that the value refers to'),
      party: z
        .enum(['employee', 'employer'])
        .nullable()
        .describe('Whether it concerns the employee or the employer, if that matters'),
      applies_to: z.string().describe('The group of people it applies to, in German'),
      choices: z
        .array(z.object({ value: z.string(), spellings: z.array(z.string()) }))
        .nullable()
        .describe('The allowed values of a choice'),
      otherwise: z.string().nullable().describe('What is assumed if it is missing'),
      explanation: z.string().describe('Explanation in one German sentence'),
      rules: z
        .array(
          z.object({
            rule: z.string(),
            demands: z
              .array(z.enum(['exactly', 'at_least', 'at_most', 'more_than']))
              .describe('How the value must compare to what the rule says; all of them hold'),
            times: z
              .array(z.object({ from: z.string().nullable(), to: z.string().nullable() }))
              .describe('Months that the rule covers (YYYY-MM); always if both are null'),
            needs: z.array(z.string()).describe('Keys of facts that the rule may need'),
            regards: z.array(z.string()).describe('Keys of facts that the rule uses if they are given'),
          }),
        )
        .describe('The rules that check this value; empty if it only describes the case'),
    }),
  ),
});
export type Vocabulary = z.output<typeof Vocabulary>;

export const ShowVocabulary = defineRequest({
  subject: 'beleg.v1.qry.knowledge.vocabulary',
  reply: Vocabulary,
});

export const ShowSource = defineRequest({
  subject: 'beleg.v1.qry.knowledge.source',
  request: z.strictObject({ id: z.string().min(1).max(64) }),
  reply: SourceText,
});

/** The progress of an ask. It has no text except the search queries, because only verified text may be shown. */
export const AskProgress = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('planned'), queries: z.array(z.string()) }),
  z.object({ stage: z.literal('retrieved'), passages: z.int(), covered: z.boolean() }),
  /** `attempt` counts the drafts of an ask from 0. */
  z.object({ stage: z.literal('drafted'), attempt: z.int() }),
  z.object({ stage: z.literal('verified'), attempt: z.int(), verified: z.boolean(), failures: z.int() }),
]);
export type AskProgress = z.output<typeof AskProgress>;

/**
 * The subject for the progress of one ask, which is sent at most once and before its reply; the caller chooses `token`.
 */
export const progressSubject = (token: string): string => `beleg.v1.progress.${token}`;

export const Ask = defineRequest({
  subject: 'beleg.v1.cmd.knowledge.ask',
  request: AskRequest.extend({
    request_id: z.string(),
    /** A token that the caller chooses to get progress messages; they are published under it. */
    progress: z
      .string()
      .regex(/^[a-z0-9]{16,64}$/)
      .optional(),
  }),
  reply: AskResponse.extend({
    /** Another question was asked under this request id before. */
    request_id_reused: z.literal(true).optional(),
    /** Neither the store nor the spool has kept this answer. */
    not_recorded: z.literal(true).optional(),
  }),
  timeoutMs: 120_000,
  endsWithCaller: true,
});

export const ReindexResponse = z.object({
  status: z.literal('reindexed'),
  passages: z.int(),
  sources: z.int(),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  duration_ms: z.int(),
  built_at: z.string(),
  left_out: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .describe(
      'Files that cannot be used and are not in the index, with their paths below the folder of the base; the first 1,000',
    ),
});

export const Reindex = defineRequest({
  subject: 'beleg.v1.cmd.knowledge.reindex',
  request: z.strictObject({ request_id: z.string() }),
  reply: ReindexResponse,
  timeoutMs: 600_000,
});

/**
 * Sent to one process (`toInstance`) by the process that runs a reindex: build the index of the present files beside
 * the one in service. The reply has the content hash of the new index.
 */
export const PrepareIndex = defineRequest({
  subject: 'beleg.v1.cmd.knowledge.prepare',
  request: z.strictObject({ request_id: z.string(), index: z.string() }),
  reply: z.object({ index: z.string() }),
  timeoutMs: 300_000,
});

/** Sent to one process: use the prepared index for asks that begin from now on. */
export const SwapIndex = defineRequest({
  subject: 'beleg.v1.cmd.knowledge.swap',
  request: z.strictObject({ index: z.string() }),
  reply: z.object({ index: z.string() }),
});

/**
 * Why a language model is not used, or is of no use: its server cannot be reached as configured (`unreachable` …
 * `redirected`), does not do its work (`busy` … `timeout`), or writes something unusable (`reply_cut` …).
 */
const MODEL_REASONS = [
  'unreachable',
  'unknown_host',
  'certificate',
  'wrong_protocol',
  'wrong_key',
  'not_found',
  'redirected',
  'busy',
  'server_error',
  'timeout',
  'context_too_small',
  'request_refused',
  'reply_cut',
  'reply_unreadable',
  'no_answer',
  'nothing_verified',
] as const;
export type ModelReason = (typeof MODEL_REASONS)[number];

/** Whether a language model writes the answers, and since when. Quoting needs no model, so it is always ready. */
export const ModelCondition = z.object({
  state: z
    .enum(['ready', 'degraded', 'away'])
    .describe(
      'degraded: the model is in use, but most answers of the last minutes were written without it, or its first test question failed; away: the model is not used at the moment',
    ),
  since: z.string().describe('Time when this state began'),
  reason: z.enum(MODEL_REASONS).nullable().describe('Why it is not ready; the log says more'),
});
export type ModelCondition = z.output<typeof ModelCondition>;

/** Figures on the language model, since the start of the processes that use it. */
export const ModelFigures = z.object({
  /** The number of calls by result: `answered`, `left` (the caller had gone), or the reason of the failure. */
  calls: z.record(z.string(), z.int()),
  call_seconds: z.number(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /**
   * The number of asks that the model should have written, by result: `written`, or the reason why they were answered
   * without it.
   */
  asks: z.record(z.string(), z.int()),
});
export type ModelFigures = z.output<typeof ModelFigures>;

/** The health of one process, asked from this process. */
export const InstanceHealth = defineRequest({
  subject: 'beleg.v1.qry.knowledge.instance',
  reply: z.object({
    /** Content hash of the index in service. */
    index: z.string(),
    /** When the index was built. Processes that take in a change at the same time do not finish at the same time. */
    built_at: z.string().nullable().default(null),
    /** Whether questions are answered, by the language model or without it. */
    answering: z.boolean(),
    model: ModelCondition,
    /** `null` if no model server is used. */
    figures: ModelFigures.nullable(),
    spooled: z.int(),
    lost: z.int(),
    /** Whether the process is losing events: since the last one that it lost, it could keep none. */
    losing: z.boolean(),
    /** The time since which files are newer than the index; only from the process that watches the folder. */
    files_newer_since: z.string().nullable().default(null),
    /** Why the index cannot follow the changes in the folder; only from the process that watches the folder. */
    files_trouble: z.string().nullable().default(null),
    /** Whether the clock of the process was set back, or differs from that of the bus. */
    clock_wrong: z.boolean().default(false),
    /** All spools that the process can see, by owner: processes that share a disk see the same ones. */
    spools: z.array(z.object({ owner: z.string(), waiting: z.int(), lost: z.int() })),
  }),
  timeoutMs: 1_000,
});

/**
 * The health of the knowledge service, over all its processes. The gateway adds the audit's part and its own version.
 */
export const KnowledgeHealth = defineRequest({
  subject: 'beleg.v1.qry.knowledge.health',
  reply: z.object({
    index: z.object({
      ready: z.boolean(),
      // Processes of earlier releases do not send this field.
      sources: z
        .int()
        .default(0)
        .describe('Parts of documents that an answer can cite, as `kb check` counts them'),
      passages: z.int().describe('Stretches that are searched; a long source has several'),
      built_at: z.string().nullable(),
      files: z
        .object({
          read: z.int(),
          left_out: z.int().describe('Files that cannot be used; the log and `beleg kb check` name them'),
          reasons: z
            .array(z.object({ reason: z.string(), files: z.int() }))
            // Processes of earlier releases do not send this field.
            .default([])
            .describe('Why they cannot be used, and how many files for each reason; the 10 most frequent'),
          left_out_files: z
            .array(z.object({ path: z.string(), reason: z.string() }))
            .default([])
            .describe(
              'Which files cannot be used, the first 20; only for callers who may ask, since names of files may be confidential',
            ),
          trouble: z
            .string()
            .nullable()
            .default(null)
            .describe(
              'Why the index cannot follow the folder: it is away, or changes of it could not be taken in; `null` where it can',
            ),
          newer_since: z
            .string()
            .nullable()
            .default(null)
            .describe('Since when files have been newer than the index; `null` where none is known to be'),
        })
        .default({ read: 0, left_out: 0, reasons: [], left_out_files: [], newer_since: null, trouble: null }),
    }),
    /** Whether every process answers questions. */
    answering: z.boolean(),
    model: z.object({
      name: z.string().describe('What writes the answers: the name of a language model, or `extractive`'),
      ready: z
        .boolean()
        .describe('True while questions are answered, by the language model if one is configured'),
      ...ModelCondition.shape,
      verifier: z
        .string()
        .nullable()
        .describe('Model that checks statements whose wording differs from their source'),
      reranker: z.string().nullable().describe('Model that ranks the passages found'),
    }),
    /** The sum over all processes; `null` if no process uses a model server. */
    figures: ModelFigures.nullable(),
    /** The base's own description in its `base.yaml`; missing if there is none. */
    base: z
      .object({
        title: z.string(),
        as_of: z.string().nullable().describe('It describes the law as of this month, YYYY-MM'),
        topics: z.array(z.string()),
        questions: z.array(z.string()).describe('Sample questions'),
      })
      .nullable(),
    /** How passages are found: `lexical`, or `lexical+dense` with the embedding model's name. */
    retrieval: z.string(),
    review_mode: z.boolean(),
    /**
     * Events of all processes, running or dead, over all restarts: the number that waits in spools, and the number that
     * was lost.
     */
    spooled: z.int(),
    lost: z.int(),
    /** Whether a process is losing events: since its last loss it could keep none. */
    losing: z.boolean(),
    /** Whether the clock of a process was set back, or differs from that of the bus. */
    clock_wrong: z.boolean().default(false),
    /**
     * The number of processes that answered, and the indexes (content hashes) that they serve: more than one index is a
     * fault.
     */
    instances: z.int(),
    indexes: z.array(z.string()),
  }),
  timeoutMs: 2_000,
});
