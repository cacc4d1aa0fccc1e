import * as real from 'node:sqlite';
import { playing } from '../simulation.ts';

export { StatementSync, backup, constants } from 'node:sqlite';

/**
 * SQLite as it is, in files of memory, without the log that only a power cut asks for: it is synchronous, and gives the same
 * each time. What a dropped process has open is closed, so that its transaction is rolled back and its locks are gone.
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
