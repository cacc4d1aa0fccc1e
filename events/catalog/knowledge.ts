import { z } from 'zod';
import { defineEvent } from '../define.ts';
import { Count } from '../schemas.ts';

const Ids = z.array(z.string());

/**
 * The stream `ask-<request_id>`. Each request id has one stream and one vault key. A repeated request id appends a
 * further answer to the same stream.
 */
export const askStream = (requestId: string): string => `ask-${requestId}`;

/** Stream of the index of one knowledge base. */
export const INDEX_STREAM = 'knowledge-index';

export const QuestionAsked = defineEvent(
  'knowledge',
  'QuestionAsked',
  {
    request_id: z.string(),
    question: z.string(),
    language: z.enum(['de', 'en']),
    mode: z.enum(['knowledge', 'review']),
    top_k: z.int(),
    /** What is to be reviewed, as JSON; `null` outside review mode. */
    context: z.string().nullable(),
  },
  {
    version: 2,
    freeText: ['question', 'context'],
    // Some events of version 1 were written by a release that had the field already: their value stays.
    upcasts: { 1: (data) => ({ context: null, ...data }) },
  },
);

export const PassagesRetrieved = defineEvent(
  'knowledge',
  'PassagesRetrieved',
  {
    /** The search plan: search strings in order. */
    queries: z.array(z.string()),
    hits: z.array(z.object({ id: z.string(), score: z.number() })),
    /** How much of the question the passages cover, 0 … 1. */
    coverage: z.number(),
    covered: z.boolean(),
    /**
     * Recorded only by earlier releases: true for a second, wider search, which was made when the first one did not
     * cover the question.
     */
    widened: z.boolean().optional(),
    /** Content hash of the index that answered. */
    index: z.string(),
  },
  { freeText: ['queries'] },
);

export const AnswerDrafted = defineEvent(
  'knowledge',
  'AnswerDrafted',
  { attempt: Count, model: z.string(), draft: z.string(), citations: Ids },
  { freeText: ['draft'] },
);

export const DraftVerified = defineEvent('knowledge', 'DraftVerified', {
  attempt: Count,
  verified: z.boolean(),
  /** The sentences that failed the verification: the number of each (from 0) and the rule that it broke. */
  failures: z.array(z.object({ sentence: Count, rule: z.string() })),
});

/** The result of a review for one aspect of the question. */
export const Check = z.object({
  status: z.enum(['ok', 'warn']),
  aspect: z.string(),
  detail: z.string(),
  source_ids: Ids,
});

/** Ends an ask: answered, refused or uncertain. From then on ratings and comments accept the request id. */
export const AnswerGiven = defineEvent(
  'knowledge',
  'AnswerGiven',
  {
    request_id: z.string(),
    status: z.enum(['answered', 'refused', 'uncertain']),
    verified: z.boolean(),
    answer_type: z.enum(['specific', 'overview', 'clarification', 'refusal', 'review']),
    question: z.string(),
    answer: z.string(),
    citations: Ids,
    sources: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        section: z.string(),
        stand: z.string(),
        work: z.string(),
        /**
         * The address of the source's original on the web. Absent if the base does not give it, and in older answers.
         */
        url: z.string().optional(),
        /** For a passage of a document: the document's path below the base's folder, and the page. Absent for other sources. */
        path: z.string().optional(),
        page: Count.optional(),
        /** True if `stand` (the date of the text) is only the date of the file. */
        undated: z.literal(true).optional(),
        /**
         * The quoted ranges of the source's text, in UTF-16 units, and the SHA-256 of that text; older answers lack
         * both.
         */
        quotes: z.array(z.object({ start: Count, end: Count, decisive: z.boolean() })).optional(),
        text_hash: z.string().optional(),
      }),
    ),
    conflicts: z.array(z.object({ text: z.string(), source_ids: Ids })),
    conflict_ids: z.array(Ids),
    clarification_question: z.string().nullable(),
    planned_queries: z.array(z.string()),
    /** The parts of a question that asks several things. Older answers do not have them. */
    parts: z.array(z.object({ text: z.string(), covered: z.boolean(), source_ids: Ids })).default([]),
    /** The verdict of a review and its checks; both are `null` outside review mode. */
    verdict: z.enum(['plausible', 'implausible', 'not_checkable']).nullable(),
    checks: z.array(Check).nullable(),
    /** Facts that no check covers; `null` outside review mode, and in older answers. */
    not_checked: z
      .array(z.object({ fact: z.string(), reason: z.string() }))
      .nullable()
      .default(null),
    /** The estimated probability that the answer answers the question; `null` for a refusal, and in older answers. */
    relevance: z.number().nullable().default(null),
    mode: z.enum(['knowledge', 'review']),
    model: z.string(),
    n_context: Count,
    regenerations: Count,
    latency_ms: Count,
  },
  {
    version: 2,
    freeText: [
      'question',
      'answer',
      'sources',
      'conflicts',
      'clarification_question',
      'planned_queries',
      'parts',
      'checks',
      'not_checked',
    ],
    // Some events of version 1 were written by a release that had both fields already: their values stay.
    upcasts: { 1: (data) => ({ verdict: null, checks: null, ...data }) },
  },
);

/** Ends an ask that failed (model server away, index gone): the caller got an error with this code. */
export const AskFailed = defineEvent('knowledge', 'AskFailed', { request_id: z.string(), code: z.string() });

export const ReindexStarted = defineEvent(
  'knowledge',
  'ReindexStarted',
  {
    request_id: z.string(),
    /**
     * How many files of the base changed and so caused the reindex; missing if a request caused it. Names of files are
     * not recorded, because a name may tell of a person, and an erasure could not reach it.
     */
    files: z.object({ added: Count, changed: Count, removed: Count }).optional(),
  },
  {
    version: 2,
    // Version 1 has the names of the first 100 files of each kind.
    upcasts: {
      1: ({ files, ...data }) => (files === undefined ? data : { ...data, files: countsOf(files) }),
    },
  },
);

const NamedFiles = z.record(z.string(), z.array(z.string()));

const countsOf = (files: unknown): Record<string, number> =>
  Object.fromEntries(Object.entries(NamedFiles.parse(files)).map(([kind, names]) => [kind, names.length]));

export const IndexBuilt = defineEvent('knowledge', 'IndexBuilt', {
  /** Content hash: the same files and settings give the same index. */
  index: z.string(),
  passages: Count,
  sources: Count,
  added: Count,
  changed: Count,
  removed: Count,
  duration_ms: Count,
  built_at: z.string(),
});

export const ReindexFailed = defineEvent('knowledge', 'ReindexFailed', { code: z.string(), faults: Count });
