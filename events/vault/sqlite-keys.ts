import { accessSync, constants } from 'node:fs';
import { unavailable } from '../sqlite/faults.ts';
import { closedError } from '../sqlite/group-commit.ts';
import { othersFile, ReadConnection } from '../sqlite/readable-file.ts';
import { openText } from './seal.ts';
import { KeyUnavailable, UnopenableText, type KeyReader } from './vault.ts';

/**
 * The keys of a vault that other processes write, or none does. Nothing is kept in memory: what is erased opens no more
 * from that moment on. A file that is missing, or that this user may not read, holds no key for it.
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
  /** `null` where it was erased, `undefined` where there is none. */
  const find = (name: string): Uint8Array | null | undefined => {
    if (!isReadable(file)) throw new KeyUnavailable();
    try {
      const row = connection.read((select) => select.get(name) as unknown as [Uint8Array | null] | undefined);
      // Not held open for long: a vault that closes shall be the last to have the file, and put its log away.
      idle ??= setImmediate(release);
      return row?.[0];
    } catch (error) {
      if (!isReadable(file)) throw new KeyUnavailable();
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

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
