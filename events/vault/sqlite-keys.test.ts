import { chmodSync, copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import { openSqliteKeys } from './sqlite-keys.ts';
import { openSqliteVault } from './sqlite.ts';
import { KeyUnavailable, UnopenableText, type Vault } from './vault.ts';

describe('Keys of a vault for those who only read', () => {
  let folder: string;
  let file: string;
  let vault: Vault;
  let keys: ReturnType<typeof openSqliteKeys>;

  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, 'keys.db');
    vault = await openSqliteVault({ file });
    keys = openSqliteKeys({ file });
  });

  afterEach(async () => {
    await keys.close();
    await vault.close();
  });

  it('open what the vault sealed, at once and after it has closed, and leave no trace', async () => {
    const sealed = await vault.seal('r-1', 'Urlaub', 'context');
    expect(await keys.open('r-1', sealed, 'context')).toBe('Urlaub');
    await nextTurn();
    await vault.close();
    expect(readdirSync(folder)).not.toContain('keys.db-wal');
    const before = readdirSync(folder);
    expect(await keys.open('r-1', sealed, 'context')).toBe('Urlaub');
    expect(readdirSync(folder)).toEqual(before);
  });

  it('open nothing from the moment on that it is erased, and do not keep the vault from erasing', async () => {
    const sealed = await vault.seal('r-1', 'Urlaub', 'context');
    expect(await keys.open('r-1', sealed, 'context')).toBe('Urlaub');
    expect(await vault.erase('r-1')).toBe(true);
    expect(await keys.open('r-1', sealed, 'context')).toBeNull();
  });

  it('tell a key that is not at hand from one that was erased', async () => {
    const sealed = await vault.seal('r-1', 'Urlaub', 'context');
    await expect(keys.open('r-2', sealed, 'context')).rejects.toThrow(UnopenableText);
    const forbidden = openSqliteKeys({ file: join(file, 'keys.db') });
    await expect(forbidden.open('r-1', sealed, 'context')).rejects.toThrow(KeyUnavailable);
  });

  it('are all lost where their file is missing or has nothing in it', async () => {
    const sealed = await vault.seal('r-1', 'Urlaub', 'context');
    writeFileSync(join(folder, 'cut.db'), '');
    for (const name of ['missing.db', 'cut.db']) {
      const without = openSqliteKeys({ file: join(folder, name) });
      await expect(without.open('r-1', sealed, 'context')).rejects.toThrow(UnopenableText);
    }
    expect(readdirSync(folder)).not.toContain('missing.db');
  });

  it.skipIf(process.getuid?.() === 0)('hold no key for a user who may not read them', async () => {
    const sealed = await vault.seal('r-1', 'Urlaub', 'context');
    copyFileSync(file, join(folder, 'others.db'));
    chmodSync(join(folder, 'others.db'), 0);
    const others = openSqliteKeys({ file: join(folder, 'others.db') });
    await expect(others.open('r-1', sealed, 'context')).rejects.toThrow(KeyUnavailable);
  });

  it('refuse text that was changed', async () => {
    const sealed = await vault.seal('r-1', 'Urlaub', 'context');
    await expect(keys.open('r-1', sealed, 'another')).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
  });
});
