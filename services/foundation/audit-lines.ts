import type { DomainEvent } from '../../events/define.ts';
import { toJsonLine } from './json.ts';

/** Writes events as `AUDIT ` lines; does nothing if `PV_AUDIT_STDOUT` is off. */
export type AuditLines = (event: DomainEvent<string, unknown>, revision: bigint | null) => void;

/**
 * One line for each event: `AUDIT ` and a JSON object `{event, id, at, request_id, stream, revision, data}`. `revision`
 * is null if the event is not stored (yet). Redacted text is null in the event already; the text of a comment is always
 * left out here, whatever the settings.
 */
export function createAuditLines(write: (line: string) => void): AuditLines {
  return (event, revision) => {
    const data = event.type === 'CommentRecorded' ? { ...(event.data as object), comment: null } : event.data;
    const line = {
      event: event.type,
      id: event.id,
      at: event.metadata.at,
      request_id: event.metadata.$correlationId,
      stream: event.stream,
      revision: revision === null ? null : Number(revision),
      data,
    };
    write(`AUDIT ${toJsonLine(line)}`);
  };
}

export const noAuditLines: AuditLines = () => undefined;
