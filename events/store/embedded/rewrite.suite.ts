import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StoredEvent } from '../store.ts';
import { categoryOf, ensureSchema } from './schema.ts';

/** Makes a store's file that holds exactly these events, at their positions, past all of its checks. */
export function writeEmbeddedFile(
  file: string,
  events: readonly (StoredEvent & { readonly category?: string })[],
): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  using db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF');
  ensureSchema(db);
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  db.exec('BEGIN');
  for (const { position, stream, revision, type, id, hash, metadata, data, category } of events) {
    const filed = category ?? categoryOf(stream);
    insert.run(Number(position), stream, revision, filed, type, id, hash, metadata, data);
  }
  db.exec('COMMIT');
}

/** Changes events of a store's file, past the triggers that keep them. */
export function rewriteEvents(file: string, sql: string): void {
  using db = new DatabaseSync(file);
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
    db.exec(`DROP TRIGGER ${String(name)}`);
  db.exec(sql);
  ensureSchema(db);
}
