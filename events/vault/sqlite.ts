import { randomBytes } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import { BelegError } from '../errors.ts';
import { Recent } from '../bounded-map.ts';
import { unavailable } from '../sqlite/faults.ts';
import { closedError, GroupCommit } from '../sqlite/group-commit.ts';
import { ownFile, ReadConnection } from '../sqlite/readable-file.ts';
import type { FileNews } from '../sqlite/writer-thread.ts';
import { isKeyOf, KEY_BYTES, openText, sealText } from './seal.ts';
import type { VaultJob, VaultResult } from './sqlite-writer.ts';
import {
  UnopenableText,
  type KeyCheck,
  type KeyState,
  type Sealed,
  type SealedText,
  type Vault,
} from './vault.ts';

const MAX_CACHED_KEYS = 10_000;
/**
 * Confirmations are written in batches of this size, or after this time. If they are lost, the next start asks the
 * store again.
 */
const CONFIRM_BATCH = 500;
const CONFIRM_AFTER_MS = 1_000;
const SWEEP_PAGE = 1_000;

interface Statements {
  key: StatementSync;
  unconfirmed: StatementSync;
}

/**
 * Keys in one SQLite file (mode 0600): a writer thread as for the event store, so that a new key costs one fsync,
 * shared with all keys that are created meanwhile. Rejects with `STORE_UNAVAILABLE`.
 */
export async function openSqliteVault({
  file,
  onFile,
}: {
  file: string;
  /** Called when the file was removed or replaced, and when it is back; and when it is found to be damaged. */
  onFile?: (news: FileNews) => void;
}): Promise<Vault> {
  let vault: SqliteVault | undefined;
  const writer = await GroupCommit.open<VaultJob, VaultResult>({
    file,
    thread: new URL('./sqlite-writer.ts', import.meta.url),
    onFile(news) {
      if (news.state === 'back') vault?.openAnew();
      onFile?.(news);
    },
  });
  try {
    return (vault = new SqliteVault(file, writer));
  } catch (error) {
    await writer.close();
    throw error;
  }
}

class SqliteVault implements Vault {
  readonly #writer: GroupCommit<VaultJob, VaultResult>;
  #cache = new Recent<string, Uint8Array>(MAX_CACHED_KEYS);
  readonly #creating = new Map<string, Promise<Uint8Array | null>>();
  #unconfirmed = new Set<string>();
  #confirmTimer: NodeJS.Timeout | undefined;
  readonly #connection: ReadConnection<Statements>;
  #closed = false;

  constructor(file: string, writer: GroupCommit<VaultJob, VaultResult>) {
    this.#writer = writer;
    this.#connection = new ReadConnection(ownFile(file), (db) => ({
      key: db.prepare('SELECT key FROM keys WHERE name = ?'),
      unconfirmed: db.prepare('SELECT name FROM keys WHERE confirmed = 0 AND name > ? ORDER BY name LIMIT ?'),
    }));
    // Reads now, so that known keys can be used even if the disk becomes full later.
    this.#read(() => undefined);
  }

  async seal(name: string, plaintext: string, context: string): Promise<Sealed> {
    this.#assertOpen();
    const key = this.#find(name) ?? (await this.#create(name));
    if (key === null) throw new BelegError('REQUEST_ERASED');
    return sealText(key, name, plaintext, context);
  }

  async open(name: string, sealed: Sealed, context: string): Promise<string | null> {
    this.#assertOpen();
    const key = this.#find(name);
    if (key === undefined) throw new UnopenableText('the encryption key of this text is missing');
    return key === null ? null : openText(key, name, sealed, context);
  }

  confirm(name: string): void {
    if (this.#closed) return;
    this.#unconfirmed.add(name);
    if (this.#unconfirmed.size >= CONFIRM_BATCH) this.#writeConfirmations();
    else this.#confirmTimer ??= setTimeout(() => this.#writeConfirmations(), CONFIRM_AFTER_MS).unref();
  }

  async sweep(isUsed: KeyCheck): Promise<number> {
    this.#assertOpen();
    let removed = 0;
    let after = '';
    for (;;) {
      const names = this.#read((sql) => sql.unconfirmed.all(after, SWEEP_PAGE)) as unknown as [string][];
      if (names.length === 0) return removed;
      const used: string[] = [];
      const unused: string[] = [];
      for (const [name] of names) {
        const is = await isUsed(name);
        if (is !== 'later') (is ? used : unused).push(name);
      }
      after = names.at(-1)![0];
      if (used.length > 0) await this.#submit({ kind: 'confirm', names: used });
      for (const name of unused) this.#cache.delete(name);
      if (unused.length > 0) removed += await this.#submit({ kind: 'discard', names: unused });
    }
  }

  async erase(name: string): Promise<boolean> {
    this.#assertOpen();
    this.#cache.delete(name);
    const erased = (await this.#submit({ kind: 'erase', name })) > 0;
    this.#cache.delete(name);
    return erased;
  }

  async stateOf(name: string, text?: SealedText): Promise<KeyState> {
    this.#assertOpen();
    const key = this.#readKey(name);
    if (key === undefined) return 'missing';
    if (key === null) return 'erased';
    return text === undefined || isKeyOf(key, name, text) ? 'there' : 'missing';
  }

  async isErased(name: string): Promise<boolean> {
    this.#assertOpen();
    return this.#find(name) === null;
  }

  /** Opens the present file. */
  openAnew(): void {
    if (!this.#closed) this.#connection.openAnew();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#writeConfirmations();
    this.#closed = true;
    this.#cache = new Recent(0);
    // The writer is closed last: the last connection that may write moves the write-ahead log into the file.
    this.#connection.close();
    await this.#writer.close();
  }

  /** The key; `null` if it was erased; `undefined` if there never was one. */
  #find(name: string): Uint8Array | null | undefined {
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached;
    const key = this.#readKey(name);
    return key === undefined ? undefined : this.#remember(name, key);
  }

  /** The key, `null` if it was erased, `undefined` if there is none. Bytes of another length than a key's are no key. */
  #readKey(name: string): Uint8Array | null | undefined {
    const row = this.#read((sql) => sql.key.get(name)) as unknown as [Uint8Array | null] | undefined;
    return row?.[0]?.length === KEY_BYTES ? row[0] : row?.[0] === null ? null : undefined;
  }

  #create(name: string): Promise<Uint8Array | null> {
    let creating = this.#creating.get(name);
    if (creating === undefined) {
      const candidate = randomBytes(KEY_BYTES);
      creating = this.#writer
        .submit({ kind: 'create', name, candidate }, name.length + KEY_BYTES)
        .then((result) => this.#remember(name, result.kind === 'key' ? result.key : null))
        .finally(() => this.#creating.delete(name));
      this.#creating.set(name, creating);
    }
    return creating;
  }

  #remember(name: string, key: Uint8Array | null): Uint8Array | null {
    if (key === null) return null;
    this.#cache.set(name, key);
    return key;
  }

  async #submit(job: VaultJob): Promise<number> {
    const result = await this.#writer.submit(
      job,
      'names' in job ? job.names.join('').length : job.name.length,
    );
    return result.kind === 'changed' ? result.rows : 0;
  }

  #writeConfirmations(): void {
    clearTimeout(this.#confirmTimer);
    this.#confirmTimer = undefined;
    if (this.#unconfirmed.size === 0) return;
    const names = [...this.#unconfirmed];
    this.#unconfirmed = new Set();
    // Not awaited, and a failure is ignored: an unconfirmed key is checked at the next start.
    this.#submit({ kind: 'confirm', names }).catch(() => {});
  }

  #read<T>(query: (sql: Statements) => T): T {
    try {
      return this.#connection.read(query);
    } catch (caught) {
      const error = unavailable(caught);
      this.#writer.onFault(error);
      throw error;
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError();
  }
}
