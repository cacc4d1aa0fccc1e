import type { SQLInputValue } from 'node:sqlite';
import { BelegError } from '../../../events/errors.ts';
import { isDiskFault, unavailable } from '../../../events/sqlite/faults.ts';
import { openTables } from '../../../events/sqlite/readable-file.ts';
import type { Row } from '../../../events/projections/projection.ts';
import { auditProjection } from '../projection.ts';
import { Statements } from '../../../events/sqlite/statements.ts';

export type Values = Record<string, SQLInputValue>;

/** Opens the file that `auditProjection` writes for reading, with a connection of its own beside the writer's. */
export function openAuditTables(file: string) {
  const db = openTables(file);
  const statements = new Statements(db);
  // Keeps SQLite from writing text to temporary files.
  db.exec('PRAGMA temp_store = MEMORY');
  // The searched text is folded already, because SQLite itself folds only ASCII letters.
  db.function('mentions', { deterministic: true }, (text, folded) =>
    Number(typeof text === 'string' && caseFold(text).includes(String(folded))),
  );

  const get = (sql: string, values: Values): Row | undefined => statements.of(sql).get(values);

  return {
    /**
     * Runs `read` if the tables have the version that it was written for.
     *
     * @throws {BelegError} `SERVICE_UNAVAILABLE` while older tables are being replaced, `STORE_UNAVAILABLE`.
     */
    read<T>(read: () => T): T {
      try {
        const book = get('SELECT version FROM projections WHERE name = :name', {
          name: auditProjection.name,
        });
        if (book?.['version'] !== auditProjection.version) {
          throw new BelegError('SERVICE_UNAVAILABLE', {
            detail: 'the audit tables are being rebuilt; try again later',
            retryAfter: 5,
          });
        }
        return read();
      } catch (error) {
        throw isDiskFault(error) ? unavailable(error) : error;
      }
    },
    get,
    /** Yields rows one by one. The caller must not await between two rows. */
    rows: (sql: string, values: Values): Iterable<Row> => statements.of(sql).iterate(values),
    close(): void {
      statements.clear();
      db.close();
    },
  };
}

export type AuditTables = ReturnType<typeof openAuditTables>;

/** A text folded for comparison: `Straße`, `STRASSE` and `STRAẞE` are equal, and so are all compositions of `ü`. */
export function caseFold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase();
}
