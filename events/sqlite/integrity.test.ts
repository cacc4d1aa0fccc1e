import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import { damageOf } from './integrity.ts';

test.each([
  ['a small file', 1_000],
  ['a large one, which a thread checks', 9_000_000],
])('%s that another process has locked is not called damaged', async (_, bytes) => {
  const file = join(temporaryFolder(), 'a.db');
  using db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
  db.prepare('INSERT INTO t VALUES (zeroblob(?))').run(bytes);
  expect(await damageOf(file)).toBeNull();
  db.exec('PRAGMA locking_mode = EXCLUSIVE; INSERT INTO t VALUES (1)');
  await expect(damageOf(file)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    detail: 'the database is locked by another process',
  });
});
