// Rewrites all pages of a SQLite file and cuts its log to zero. It runs in a thread, so that the event loop is not
// blocked.
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { toFault, type Fault } from '../../../events/sqlite/faults.ts';

export interface CompactionData {
  readonly file: string;
  /** The number to store in the file as its `user_version`, once deleted text is gone from it. */
  readonly mark: number;
}

export interface CompactionReply {
  readonly fault?: Fault;
  /** A reader still uses the previous content, so the log cannot be cut yet. */
  readonly isRead?: true;
}

export function compact({ file, mark }: CompactionData): CompactionReply {
  try {
    using db = new DatabaseSync(file, { timeout: 1000 });
    // `VACUUM` writes the rows to a temporary file. It is created beside this file, where there is room for it, because
    // /tmp may be in memory.
    db.exec(
      `PRAGMA temp_store_directory = '${dirname(file).replaceAll("'", "''")}'; PRAGMA temp_store = FILE`,
    );
    // Deleted rows are overwritten anyway, but when pages were merged, copies of rows remain in their free space.
    db.exec('PRAGMA secure_delete = ON; VACUUM');
    const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    if (busy !== 0) return { isRead: true };
    db.exec(`PRAGMA user_version = ${mark}`);
    return {};
  } catch (error) {
    return { fault: toFault(error) };
  }
}

// There is no parent port if the caller runs this in its own thread.
parentPort?.postMessage(compact(workerData as CompactionData));
