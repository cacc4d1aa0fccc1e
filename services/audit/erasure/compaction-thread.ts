// Builds all pages of a SQLite file anew and cuts its log: as long as that takes, the event loop goes on.
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { toFault, type Fault } from '../../../events/sqlite/faults.ts';

export interface CompactionData {
  readonly file: string;
  /** Kept in the file, as its `user_version`, once that holds nothing but its rows. */
  readonly mark: number;
}

export interface CompactionReply {
  readonly fault?: Fault;
  /** Somebody reads the file as it was before: the log cannot be cut yet. */
  readonly isRead?: true;
}

export function compact({ file, mark }: CompactionData): CompactionReply {
  try {
    using db = new DatabaseSync(file, { timeout: 1000 });
    // The rows pass through a file without a name. Beside this one there is room for them: /tmp may be memory.
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
