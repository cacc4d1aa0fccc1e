import * as audit from '../../../events/messages/audit.ts';
import type { Named } from '../http/openapi.ts';
import { SENT } from './example-requests.ts';
import recorded from './recorded-examples.json' with { type: 'json' };

/** The schemas of the audit paths for the document. */
export const AUDIT_REQUESTS: Readonly<Record<string, Named>> = {
  EraseRequest: {
    schema: audit.EraseRequest,
    examples: [SENT.erasure],
  },
};

export const AUDIT_REPLIES: Readonly<Record<string, Named>> = {
  Interaction: {
    schema: audit.Interaction,
    examples: recorded.Interaction,
  },
  InteractionPage: { schema: audit.InteractionPage, examples: recorded.InteractionPage },
  Story: {
    schema: audit.Story,
    examples: recorded.Story,
  },
  JsonValue: { schema: audit.JsonValue, examples: [] },
  ChainStatus: {
    schema: audit.ChainStatus,
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
