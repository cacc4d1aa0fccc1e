import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seeded } from '../seeded.ts';
import { vaultContract } from './contract.suite.ts';
import { openSqliteVault } from './sqlite.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'vault-'));

vaultContract('SQLite', async () => {
  const folder = newFolder();
  return {
    open: () => openSqliteVault({ file: join(folder, 'vault.db') }),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});

describe('SQLite vault', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = newFolder();
    file = join(folder, 'vault.db');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const filesHold = (bytes: Uint8Array): boolean =>
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(Buffer.from(bytes)));

  function keyOf(name: string): Uint8Array {
    const db = new DatabaseSync(file, { readOnly: true });
    const row = db.prepare('SELECT key FROM keys WHERE name = ?').get(name)!;
    db.close();
    return row['key'] as Uint8Array;
  }

  it('keeps its files from other users of the machine', async () => {
    const vault = await openSqliteVault({ file });
    await vault.seal('r-1', 'text', 'c');
    for (const name of ['vault.db', 'vault.db-wal']) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    }
    await vault.close();
  });

  it('leaves nothing of an erased key in any of its files', async () => {
    const vault = await openSqliteVault({ file });
    for (let i = 0; i < 50; i++) await vault.seal(`r-${i}`, 'text', 'c');
    const key = keyOf('r-7');
    expect(filesHold(key)).toBe(true);
    await vault.erase('r-7');
    expect(filesHold(key)).toBe(false);
    expect(filesHold(keyOf('r-8'))).toBe(true);
    await vault.close();
  });

  // Pages that have become nearly empty are merged: rows move, and copies of some stay in what is free of a page.
  it('leaves nothing of a key whose row has moved from page to page', async () => {
    await (await openSqliteVault({ file })).close();
    const copied = moveRows();
    const vault = await openSqliteVault({ file });
    const keys = copied.map(keyOf);
    for (const name of copied) await vault.erase(name);
    expect(keys.filter(filesHold)).toEqual([]);
    await vault.close();
  });

  /** Adds and deletes keys, until there are some with more than one copy in the file: their names. */
  function moveRows(): string[] {
    const db = new DatabaseSync(file);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON');
    const insert = db.prepare('INSERT INTO keys (name, key) VALUES (?, ?)');
    const remove = db.prepare('DELETE FROM keys WHERE name = ?');
    const random = seeded(7);
    const keys = new Map<string, Buffer>();
    const copied = (key: Buffer): boolean => {
      const bytes = readFileSync(file);
      return bytes.indexOf(key) !== bytes.lastIndexOf(key);
    };
    try {
      for (let round = 0; round < 50; round++) {
        for (let n = 0; n < 120; n++) {
          const [name, key] = [`${round}-${n}`, randomBytes(32)];
          insert.run(name, key);
          keys.set(name, key);
        }
        for (const name of keys.keys()) if (random() < 0.4 && keys.delete(name)) remove.run(name);
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        const found = [...keys].filter(([, key]) => copied(key)).map(([name]) => name);
        if (found.length > 0) return found;
      }
      throw new Error('no row has left a copy behind: is this test still about anything?');
    } finally {
      db.close();
    }
  }

  it('leaves nothing of a swept key either', async () => {
    const vault = await openSqliteVault({ file });
    await vault.seal('r-1', 'text', 'c');
    const key = keyOf('r-1');
    await vault.sweep(async () => false);
    expect(filesHold(key)).toBe(false);
    await vault.close();
  });

  it('refuses a second process or a second opening', async () => {
    const vault = await openSqliteVault({ file });
    await expect(openSqliteVault({ file })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await vault.close();
  });

  it('leaves one whole file behind when it is closed', async () => {
    const vault = await openSqliteVault({ file });
    await vault.seal('r-1', 'text', 'c');
    await vault.close();
    expect(readdirSync(folder).filter((name) => /-(wal|shm)$/u.test(name))).toEqual([]);
  });

  it('rejects a place that cannot be written', async () => {
    await expect(openSqliteVault({ file: join(folder, 'nowhere', 'vault.db') })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
  });
});
