import { accessSync, constants } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { unavailable } from '../sqlite/faults.ts';
import { closedError } from '../sqlite/group-commit.ts';
import { othersFile, type ReadableFile } from '../sqlite/readable-file.ts';
import { openText } from './seal.ts';
import { KeyNotAtHand, type KeyReader, type Sealed } from './vault.ts';

/**
 * The keys of a vault that other processes write, or none does. Nothing is kept in memory: what is erased opens no more
 * from that moment on. A file that is missing, or that this user may not read, holds no key for it.
 */
export function openSqliteKeys(options: { file: string }): KeyReader & { close(): Promise<void> } {
  return new SqliteKeys(options.file);
}

class SqliteKeys implements KeyReader {
  readonly #path: string;
  readonly #file: ReadableFile;
  #db: DatabaseSync | undefined;
  #select: StatementSync | undefined;
  #idle: NodeJS.Immediate | undefined;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = othersFile(path);
  }

  async open(name: string, sealed: Sealed, context: string): Promise<string | null> {
    const key = this.#find(name);
    if (key === undefined) throw new KeyNotAtHand();
    return key === null ? null : openText(key, name, sealed, context);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#release();
  }

  /** `null` where it was erased, `undefined` where there is none. */
  #find(name: string): Uint8Array | null | undefined {
    if (this.#closed) throw closedError();
    for (;;) {
      try {
        this.#select ??= this.#prepare();
        const row = this.#select.get(name) as unknown as [Uint8Array | null] | undefined;
        // Not held open for long: a vault that closes shall be the last to have the file, and put its log away.
        this.#idle ??= setImmediate(() => this.#release());
        if (!this.#file.isOutdated()) return row?.[0];
        this.#release();
      } catch (error) {
        this.#release();
        if (this.#file.isOutdated()) continue;
        if (!isReadable(this.#path)) return undefined;
        throw unavailable(error);
      }
    }
  }

  #prepare(): StatementSync {
    this.#db = this.#file.open();
    return this.#db.prepare('SELECT key FROM keys WHERE name = ?');
  }

  #release(): void {
    clearImmediate(this.#idle);
    this.#idle = undefined;
    this.#db?.close();
    this.#db = undefined;
    this.#select = undefined;
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
