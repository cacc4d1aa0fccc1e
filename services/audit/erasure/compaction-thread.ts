// Rewrites all pages of a SQLite file and cuts its log to zero. It is a thread, so that the event loop goes on
// meanwhile.
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { toFault, type Fault } from '../../../events/sqlite/faults.ts';

export interface CompactionData {
  readonly file: string;
  /** Stored in the file as its `user_version` after the file contains nothing but its rows. */
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
    // The rows pass through a file without a name. It is made beside this one, where there is room for it, because /tmp
    // may be in memory.
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

// There is no parent port if it is called in the thread of its caller.
parentPort?.postMessage(compact(workerData as CompactionData));
