import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements of a connection, each prepared once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  of(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) this.#prepared.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }

  clear(): void {
    this.#prepared.clear();
  }
}

/** Runs the work in a transaction, so that all or nothing of it is done. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // Some faults have rolled the transaction back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
