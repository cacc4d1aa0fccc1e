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
      'One request as its newest answer shows it, with what people said of that. Free text is `null` where it was redacted or erased.',
    examples: [INTERACTION],
    fields: {
      answers: 'Answers given under this request id',
      rating: 'Of this answer; `null` where nobody rated it',
      comments: 'Of the request, whichever of its answers they were on, oldest first',
      comments_omitted: 'Older comments that had no room; absent where all are here',
      erased_at: 'When its text was erased; `null` where it was not',
    },
  },
  InteractionPage: {
    schema: InteractionPage,
    examples: [{ interactions: [INTERACTION], next: null }],
    fields: {
      next: '`cursor` of the next page; `null` on the last one. A page may be shorter than asked for, or empty, and not the last',
    },
  },
  Story: {
    schema: Story,
    description:
      'All that is on record, in the order it happened, with the way that it took through its machine.',
    examples: [SHOWN.story],
    fields: { omitted: 'Entries in the middle that were left out of a very long one' },
  },
  JsonValue: { schema: JsonValue, description: 'Any JSON', examples: [] },
  ChainStatus: {
    schema: ChainStatus,
    description: 'Whether the hash chain of a stream is whole, and in words what is wrong where it is not.',
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
    fields: { repeated: 'True where it had been erased before' },
  },
  Checkpoint: {
    schema: MakeCheckpoint.reply,
    examples: [CHECKPOINT],
    fields: {
      size: 'Events that it covers: the first so many of the record',
      root: 'Merkle tree hash (RFC 6962) over their chain hashes',
      note: 'What to keep somewhere else: a signed note (C2SP tlog-checkpoint), unsigned where no key is set',
      repeated: 'True where nothing had happened since the last one, which this is',
    },
  },
  RebuiltTables: {
    schema: RebuildAuditTables.reply,
    examples: [{ name: 'audit', position: '00000000000000001000', duration_ms: 350 }],
    fields: { position: 'Of the last event in the tables' },
  },
};
