import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

/** Overwrites a page that no read of a row needs. */
export const damageLastIndex = (path: string): Promise<void> => damage(path, 'index');

/** Overwrites a page of rows. */
export const damageLastTable = (path: string): Promise<void> => damage(path, 'table');

async function damage(path: string, type: 'index' | 'table'): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const root = db.prepare('SELECT max(rootpage) AS page FROM sqlite_schema WHERE type = ?');
  const { page } = root.get(type) as { page: number };
  const { page_size: bytes } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  db.close();
  await using file = await open(path, 'r+');
  await file.write(Buffer.alloc(bytes, 0xa5), 0, bytes, (page - 1) * bytes);
}
