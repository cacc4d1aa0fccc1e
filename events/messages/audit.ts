import { z } from 'zod';
import { Count } from '../schemas.ts';
import { defineRequest } from './define.ts';
import { RequestId } from './request-id.ts';
import { LIST_LENGTHS } from './list-lengths.ts';
import { REQUEST_LIMITS } from './request-limits.ts';
import { visibleText } from './visible-text.ts';

const Moment = z.iso.datetime();
/** A time with any offset from UTC, as clients write it. */
const AnyMoment = z.iso.datetime({ offset: true });

/** One request with its newest answer, its rating and its comments. Free text is `null` if it was redacted or erased. */
export const Interaction = z
  .object({
    request_id: z.string(),
    at: Moment,
    question: z.string().nullable(),
    answer: z.string().nullable(),
    status: z.enum(['answered', 'refused', 'uncertain']),
    verified: z.boolean(),
    answer_type: z.string(),
    mode: z.enum(['knowledge', 'review']),
    /** The verdict of a review; `null` if the interaction is not a review. */
    verdict: z.enum(['plausible', 'implausible', 'not_checkable']).nullable(),
    /** The number of contradictions between the sources of the answer. */
    conflicts: Count,
    citations: z.array(z.string()),
    model: z.string(),
    latency_ms: Count,
    answers: z.int().positive().describe('Number of answers with this request id'),
    rating: z
      .object({ rating: z.enum(['up', 'down']), feedback: z.string().nullable(), at: Moment })
      .nullable()
      .describe('Rating of this answer; `null` if nobody rated it'),
    comments: z
      .array(z.object({ comment_id: z.int().positive(), comment: z.string().nullable(), at: Moment }))
      .describe('Comments on any answer of this request, oldest first'),
    comments_omitted: z
      .int()
      .positive()
      .optional()
      .describe('Number of older comments that are left out; absent if all are included'),
    erased_at: Moment.nullable().describe('When its text was erased; `null` if it was not'),
    text_lost: z
      .literal(true)
      .optional()
      .describe(
        'True if text of it cannot be opened any more because its key is missing, although nobody erased it; absent otherwise',
      ),
  })
  .describe(
    'One request with its newest answer, ratings and comments. Free text is `null` if it was redacted or erased.',
  );

/**
 * `GET /v1/audit/interactions`: newest first. Each filter narrows the result. All pages show the state at the first
 * page, each request once: a client that follows `next` misses nothing and sees nothing twice while new answers come
 * in.
 */
export const InteractionQuery = z.strictObject({
  limit: z.int().min(1).max(LIST_LENGTHS.interactions.most).default(LIST_LENGTHS.interactions.usual),
  /** `next` of the previous page. */
  cursor: z.string().max(200).optional(),
  status: z.enum(['answered', 'refused', 'uncertain']).optional(),
  rating: z.enum(['up', 'down', 'none']).optional(),
  feedback: z.literal(true).optional().describe('Only answers with a rating or a comment'),
  from: AnyMoment.optional().describe('Answered at this time or later'),
  to: AnyMoment.optional().describe('Answered before this time'),
  text: z
    .string()
    .trim()
    .min(1)
    .max(REQUEST_LIMITS.searchText)
    .optional()
    .describe(
      'Text in the question, the answer, the feedback, a comment or the request id; upper and lower case are the same',
    ),
});

export const InteractionPage = z.object({
  interactions: z.array(Interaction),
  next: z
    .string()
    .nullable()
    .describe(
      '`cursor` of the next page; `null` on the last one. A page can be short or even empty without being the last',
    ),
});

export const ListInteractions = defineRequest({
  subject: 'beleg.v1.qry.audit.interactions',
  request: InteractionQuery,
  reply: InteractionPage,
});

/**
 * Any JSON. It is not validated member by member: a message is JSON anyway, and validating a long story would block the
 * event loop for 60 ms on either side.
 */
export const JsonValue = (z.unknown() as z.ZodType<z.output<z.ZodJSONSchema>>).describe('Any JSON value');

/** One event of a story. */
const StoryEntry = z.object({
  at: Moment,
  /** Milliseconds since the previous entry; 0 for the first. */
  after_ms: Count,
  stream: z.string(),
  revision: Count,
  event: z.string(),
  id: z.string(),
  /** The state of the machine after this event; `null` for an event that changes no state. */
  state: z.string().nullable(),
  correlation_id: z.string(),
  causation_id: z.string(),
  /** Free text is `null` if it was redacted or erased, and `"(sealed)"` if its key is not available. */
  data: z.record(z.string(), JsonValue),
});

/** A machine according to its lifecycle table, with the path that this story took. */
export const StoryMachine = z.object({
  name: z.string(),
  initial: z.string(),
  states: z.array(z.object({ name: z.string(), final: z.boolean() })),
  /** `taken`: how often this story took the transition. */
  transitions: z.array(z.object({ from: z.string(), to: z.string(), event: z.string(), taken: Count })),
  /** States in the order they were reached, the initial one first. */
  path: z.array(z.string()),
});

/** All that is on record about one request, order, run of training or update, in the order it happened. */
export const Story = z
  .object({
    id: z.string(),
    kind: z.enum(['ask', 'order', 'training', 'market-update', 'reindex']),
    streams: z.array(z.string()),
    machine: StoryMachine,
    entries: z.array(StoryEntry),
    omitted: Count.describe('Number of entries left out in the middle, if there are very many'),
  })
  .describe('All recorded events in the order they happened, with the path through the state machine.');

/** The faults of a stream in words; `whole` if there are none. */
export const ChainStatus = z
  .object({
    stream: z.string(),
    whole: z.boolean(),
    events: Count,
    faults: z.array(z.string()),
  })
  .describe('Whether the hash chain of a stream is intact, and what is wrong if it is not.');

/** `GET /v1/audit/interactions/{request_id}`. */
export const ShowInteraction = defineRequest({
  subject: 'beleg.v1.qry.audit.interaction',
  request: z.strictObject({ request_id: RequestId }),
  reply: z.object({ interaction: Interaction, story: Story, chain: ChainStatus }),
});

/** `GET /v1/audit/record`: how far the record is proven. */
export const RecordStatus = defineRequest({
  subject: 'beleg.v1.qry.audit.record',
  reply: z.object({
    checkpoint: z
      .object({
        size: Count,
        root: z.string(),
        at: Moment,
        /** `null` where no signing key was set. */
        key: z.string().nullable().describe('Public key of the signature'),
      })
      .nullable()
      .describe('The newest one; `null` before the first'),
    erased: Count.describe('Requests whose text was erased'),
  }),
});

export const EraseRequest = z.strictObject({
  request_id: RequestId,
  reason: visibleText(REQUEST_LIMITS.erasureReason).describe(
    'Why the text is erased. The reason is stored in clear and cannot be removed: do not name a person',
  ),
});

/** `POST /v1/audit/erasures`: after the reply the text of the request is gone, from the files too. */
export const Erase = defineRequest({
  subject: 'beleg.v1.cmd.audit.erase',
  request: EraseRequest,
  reply: z.object({
    request_id: z.string(),
    erased_at: Moment,
    repeated: z.boolean().describe('True if it had already been erased'),
  }),
  timeoutMs: 60_000,
});

/** `POST /v1/audit/checkpoints` makes a checkpoint now, without waiting for more events. */
export const MakeCheckpoint = defineRequest({
  subject: 'beleg.v1.cmd.audit.checkpoint',
  reply: z.object({
    size: Count.describe('Number of events it covers, counted from the first event of the record'),
    root: z.string().describe('Merkle tree hash (RFC 6962) of their chain hashes'),
    note: z
      .string()
      .describe('Signed note (C2SP tlog-checkpoint) to keep in another place; unsigned if no key is set'),
    repeated: z.boolean().describe('True if there were no new events, so this is the previous checkpoint'),
  }),
  timeoutMs: 600_000,
});

const Rebuilt = z.object({
  name: z.string(),
  position: z.string().describe('Position of the last event in the tables'),
  duration_ms: Count,
});

/**
 * `POST /v1/audit/projections/audit/rebuild` builds the tables from the first event, beside those that are in use, and
 * then swaps them.
 */
export const RebuildAuditTables = defineRequest({
  subject: 'beleg.v1.cmd.audit.rebuild',
  reply: Rebuilt,
  timeoutMs: 600_000,
});

/** `POST /v1/audit/projections/trading/rebuild`. */
export const RebuildTradingTables = defineRequest({
  subject: 'beleg.v1.cmd.trading.rebuild',
  reply: Rebuilt,
  timeoutMs: 600_000,
});
