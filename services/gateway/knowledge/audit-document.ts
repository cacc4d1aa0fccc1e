import {
  ChainStatus,
  Erase,
  EraseRequest,
  Interaction,
  InteractionPage,
  JsonValue,
  MakeCheckpoint,
  RebuildAuditTables,
  RecordStatus,
  ShowInteraction,
  Story,
} from '../../../events/messages/audit.ts';
import type { Named } from '../http/openapi.ts';
import { CHECKPOINT, INTERACTION, RECORD, SHOWN } from './audit-examples.ts';

const { request_id } = INTERACTION;

/** What the document says of the audit paths. */
export const AUDIT_REQUESTS: Readonly<Record<string, Named>> = {
  EraseRequest: {
    schema: EraseRequest,
    examples: [{ request_id, reason: 'Löschersuchen vom 15.01.2026' }],
  },
};

export const AUDIT_REPLIES: Readonly<Record<string, Named>> = {
  Interaction: {
    schema: Interaction,
    description:
      'One request with its newest answer, ratings and comments. Free text is `null` if it was redacted or erased.',
    examples: [INTERACTION],
    fields: {
      answers: 'Number of answers with this request id',
      rating: 'Rating of this answer; `null` if nobody rated it',
      comments: 'Comments on any answer of this request, oldest first',
      comments_omitted: 'Number of older comments that are left out; absent if all are included',
      erased_at: 'When its text was erased; `null` if it was not',
    },
  },
  InteractionPage: {
    schema: InteractionPage,
    examples: [{ interactions: [INTERACTION], next: null }],
    fields: {
      next: '`cursor` of the next page; `null` on the last one. A page can be short or even empty without being the last',
    },
  },
  Story: {
    schema: Story,
    description: 'All recorded events in the order they happened, with the path through the state machine.',
    examples: [SHOWN.story],
    fields: { omitted: 'Number of entries left out in the middle, if there are very many' },
  },
  JsonValue: { schema: JsonValue, description: 'Any JSON value', examples: [] },
  ChainStatus: {
    schema: ChainStatus,
    description: 'Whether the hash chain of a stream is intact, and what is wrong if it is not.',
    examples: [SHOWN.chain],
  },
  InteractionDetails: { schema: ShowInteraction.reply, examples: [SHOWN] },
  RecordStatus: {
    schema: RecordStatus.reply,
    examples: [RECORD],
    fields: {
      checkpoint: 'The newest one; `null` before the first',
      erased: 'Requests whose text was erased',
    },
  },
  Erased: {
    schema: Erase.reply,
    examples: [{ request_id, erased_at: '2026-01-15T09:00:00.000Z', repeated: false }],
    fields: { repeated: 'True if it had already been erased' },
  },
  Checkpoint: {
    schema: MakeCheckpoint.reply,
    examples: [CHECKPOINT],
    fields: {
      size: 'Number of events it covers, counted from the first event of the record',
      root: 'Merkle tree hash (RFC 6962) of their chain hashes',
      note: 'Signed note (C2SP tlog-checkpoint) to keep in another place; unsigned if no key is set',
      repeated: 'True if there were no new events, so this is the previous checkpoint',
    },
  },
  RebuiltTables: {
    schema: RebuildAuditTables.reply,
    examples: [{ name: 'audit', position: '00000000000000001000', duration_ms: 350 }],
    fields: { position: 'Position of the last event in the tables' },
  },
};
