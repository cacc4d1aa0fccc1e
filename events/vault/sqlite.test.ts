import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
