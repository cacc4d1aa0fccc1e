import * as audit from '../../../events/messages/audit.ts';
import type { Named } from '../http/openapi.ts';
import { SENT } from './example-requests.ts';
import recorded from './recorded-examples.json' with { type: 'json' };

/** What the document says of the audit paths. */
export const AUDIT_REQUESTS: Readonly<Record<string, Named>> = {
  EraseRequest: {
    schema: audit.EraseRequest,
    examples: [SENT.erasure],
  },
};

export const AUDIT_REPLIES: Readonly<Record<string, Named>> = {
  Interaction: {
    schema: audit.Interaction,
    description:
      'One request with its newest answer, ratings and comments. Free text is `null` if it was redacted or erased.',
    examples: recorded.Interaction,
  },
  InteractionPage: { schema: audit.InteractionPage, examples: recorded.InteractionPage },
  Story: {
    schema: audit.Story,
    description: 'All recorded events in the order they happened, with the path through the state machine.',
    examples: recorded.Story,
  },
  JsonValue: { schema: audit.JsonValue, description: 'Any JSON value', examples: [] },
  ChainStatus: {
    schema: audit.ChainStatus,
    description: 'Whether the hash chain of a stream is intact, and what is wrong if it is not.',
    examples: recorded.ChainStatus,
  },
  InteractionDetails: { schema: audit.ShowInteraction.reply, examples: recorded.InteractionDetails },
  RecordStatus: { schema: audit.RecordStatus.reply, examples: recorded.RecordStatus },
  Erased: {
    schema: audit.Erase.reply,
    examples: recorded.Erased,
  },
  Checkpoint: { schema: audit.MakeCheckpoint.reply, examples: recorded.Checkpoint },
  RebuiltTables: {
    schema: audit.RebuildAuditTables.reply,
    examples: recorded.RebuiltTables,
  },
};
