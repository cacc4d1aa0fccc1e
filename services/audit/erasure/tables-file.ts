import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BelegError } from '../../../events/errors.ts';
import { unavailable } from '../../../events/sqlite/faults.ts';
import { readTables } from '../../../events/sqlite/readable-file.ts';
import type { CompactionData, CompactionReply } from './compaction-thread.ts';

/**
 * The queries and changes of the audit tables' file that erasure needs. No connection is kept open. All functions throw
 * `STORE_UNAVAILABLE`.
 */

/** Requests whose newest text is older than `before` (ISO 8601), oldest first. */
export function listOverdue(file: string, before: string, limit: number): string[] {
  return readTables(file, (db) =>
    db
      .prepare(
        'SELECT request_id FROM requests WHERE erased_at IS NULL AND last_at < ? ORDER BY last_at LIMIT ?',
      )
      .all(before, limit)
      .map((row) => row['request_id'] as string),
  );
}

/** The time of the newest text (ISO 8601); `null` if the tables have none. */
export function newestText(file: string): string | null {
  return readTables(
    file,
    (db) => db.prepare('SELECT max(last_at) AS at FROM requests').get()!['at'] as string | null,
  );
}

/** The mark of the last compaction, which is the number of events of `erasures` at that time; 0 if there was none. */
export function compactedUpTo(file: string): number {
  return readTables(file, (db) => db.prepare('PRAGMA user_version').get()!['user_version'] as number);
}

/**
 * Removes deleted text from the file and its log: `VACUUM`, then the log is cut. Readers can go on meanwhile; the
 * folder needs free space of twice the file. Call it while nobody else writes to the file.
 *
 * Also rejects with `AUDIT_UNAVAILABLE` if somebody keeps the old content in use, as a cursor that is left open does.
 */
export async function compact(file: string, mark: number): Promise<void> {
  const workerData: CompactionData = { file, mark };
  const worker = new Worker(new URL('./compaction-thread.ts', import.meta.url), { workerData });
  const [{ fault, isRead }] = (await once(worker, 'message')) as [CompactionReply];
  if (fault !== undefined) throw unavailable(fault, file);
  if (isRead === true) {
    throw new BelegError('AUDIT_UNAVAILABLE', {
      detail:
        'the text can no longer be read, but old pages of the audit tables cannot be removed while another program is reading the file. Close that program; this will be tried again',
    });
  }
}
