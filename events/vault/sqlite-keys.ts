import { accessSync, constants } from 'node:fs';
import type { StatementSync } from 'node:sqlite';
import { unavailable } from '../sqlite/faults.ts';
import { closedError } from '../sqlite/group-commit.ts';
import { othersFile, ReadConnection } from '../sqlite/readable-file.ts';
import { openText } from './seal.ts';
import { KeyUnavailable, type KeyReader, type Sealed } from './vault.ts';

/**
 * The keys of a vault that other processes write, or none does. Nothing is kept in memory: what is erased opens no more
 * from that moment on. A file that is missing, or that this user may not read, holds no key for it.
 */
export function openSqliteKeys(options: { file: string }): KeyReader & { close(): Promise<void> } {
  return new SqliteKeys(options.file);
}

class SqliteKeys implements KeyReader {
  readonly #path: string;
  readonly #connection: ReadConnection<StatementSync>;
  #idle: NodeJS.Immediate | undefined;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    this.#connection = new ReadConnection(othersFile(path), (db) =>
      db.prepare('SELECT key FROM keys WHERE name = ?'),
    );
  }

  async open(name: string, sealed: Sealed, context: string): Promise<string | null> {
    const key = this.#find(name);
    if (key === undefined) throw new KeyUnavailable();
    return key === null ? null : openText(key, name, sealed, context);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#release();
  }

  /** `null` where it was erased, `undefined` where there is none. */
  #find(name: string): Uint8Array | null | undefined {
    if (this.#closed) throw closedError();
    try {
      const row = this.#connection.read(
        (select) => select.get(name) as unknown as [Uint8Array | null] | undefined,
      );
      // Not held open for long: a vault that closes shall be the last to have the file, and put its log away.
      this.#idle ??= setImmediate(() => this.#release());
      return row?.[0];
    } catch (error) {
      if (!isReadable(this.#path)) return undefined;
      throw unavailable(error);
    }
  }

  #release(): void {
    clearImmediate(this.#idle);
    this.#idle = undefined;
    this.#connection.close();
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
