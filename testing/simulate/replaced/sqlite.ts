import * as real from 'node:sqlite';
import { playing } from '../simulation.ts';

export { StatementSync, backup, constants } from 'node:sqlite';

/**
 * Real SQLite with files in memory, without the log that only a power cut needs: it is synchronous and deterministic.
 * The databases of a dropped process are closed, so that its transaction is rolled back and its locks are released.
 */
export class DatabaseSync extends real.DatabaseSync {
  constructor(path: string, options?: real.DatabaseSyncOptions) {
    super(path, options);
    playing()?.current?.onDrop.push(() => {
      if (this.isOpen) this.close();
    });
  }

  override exec(sql: string): void {
    super.exec(sql.replace('journal_mode = WAL', 'journal_mode = MEMORY'));
  }
}
