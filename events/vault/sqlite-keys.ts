import { accessSync, constants, existsSync } from 'node:fs';
import { holdsBytes } from '../sqlite/private-file.ts';
import { unavailable } from '../sqlite/faults.ts';
import { closedError } from '../sqlite/group-commit.ts';
import { othersFile, ReadConnection } from '../sqlite/readable-file.ts';
import { openText } from './seal.ts';
import { KeyUnavailable, UnopenableText, type KeyReader } from './vault.ts';

/**
 * The keys of a vault that only other processes write. No key is kept in memory, so that erased text can no longer be
 * decrypted from then on. If this user may not read the file, no key is available; if there is no file, all keys are
 * lost.
 */
export function openSqliteKeys({ file }: { file: string }): KeyReader & { close(): Promise<void> } {
  const connection = new ReadConnection(othersFile(file), (db) =>
    db.prepare('SELECT key FROM keys WHERE name = ?'),
  );
  let idle: NodeJS.Immediate | undefined;
  let closed = false;
  const release = (): void => {
    clearImmediate(idle);
    idle = undefined;
    connection.close();
  };
  /** The key; `null` if it was erased, `undefined` if there is none. */
  const find = (name: string): Uint8Array | null | undefined => {
    if (isForbidden(file)) throw new KeyUnavailable();
    if (!holdsBytes(file) && !existsSync(`${file}-wal`)) return undefined;
    try {
      const row = connection.read((select) => select.get(name) as unknown as [Uint8Array | null] | undefined);
      // The file is closed soon: a vault that closes should be the last to have it open, so that SQLite removes its
      // log.
      idle ??= setImmediate(release);
      return row?.[0];
    } catch (error) {
      if (isForbidden(file)) throw new KeyUnavailable();
      throw unavailable(error);
    }
  };
  return {
    async open(name, sealed, context) {
      if (closed) throw closedError();
      const key = find(name);
      if (key === undefined) throw new UnopenableText('the encryption key of this text is missing');
      return key === null ? null : openText(key, name, sealed, context);
    },
    async close() {
      closed = true;
      release();
    },
  };
}

function isForbidden(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
