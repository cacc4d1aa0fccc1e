import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProjectionTables } from '../../../events/projections/tables.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { auditProjection } from '../projection.ts';
import { compact, compactedUpTo } from './tables-file.ts';
import { seeded } from '../../../events/seeded.ts';
import { filesHolding } from './place.suite.ts';

let folder: string;
let file: string;
let db: DatabaseSync;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'audit.db');
  new ProjectionTables(file, auditProjection).close();
  db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF; PRAGMA secure_delete = ON');
});
afterEach(() => {
  if (db.isOpen) db.close();
});

const cutLog = () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)');

/** Adds and replaces ratings until rows have moved and left copies of themselves in free space: ids of such. */
function moveRows(): string[] {
  const insert = db.prepare("INSERT INTO ratings VALUES (?, ?, '2026', 'up', ?)");
  const remove = db.prepare('DELETE FROM ratings WHERE answer_id = ?');
  const random = seeded(7);
  const live = new Set<string>();
  for (let round = 0; round < 100; round++) {
    for (let n = 0; n < 120; n++) {
      const id = `${round}-${n}`;
      insert.run(id, `r-${id}`, `»${id}«`);
      live.add(id);
    }
    for (const id of live) if (random() < 0.4 && live.delete(id)) remove.run(id);
    cutLog();
    const bytes = readFileSync(file, 'latin1');
    const copied = [...live].filter((id) => {
      const text = Buffer.from(`»${id}«`).toString('latin1');
      return bytes.indexOf(text) !== bytes.lastIndexOf(text);
    });
    if (copied.length > 0) return copied;
  }
  throw new Error('no row has left a copy behind: is this test still about anything?');
}

test('compaction takes copies of rows that moved from page to page, which overwriting the rows does not', async () => {
  const ids = moveRows();
  const left = () => ids.flatMap((id) => filesHolding(folder, Buffer.from(`»${id}«`)));
  for (const id of ids) db.prepare('UPDATE ratings SET feedback = NULL WHERE answer_id = ?').run(id);
  cutLog();
  expect(left()).toContain('audit.db');
  await compact(file, 7);
  expect(left()).toEqual([]);
  expect(compactedUpTo(file)).toBe(7);
});

test('compaction leaves the mark as it was where somebody else writes to the file', async () => {
  db.exec('BEGIN IMMEDIATE');
  await expect(compact(file, 7)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  db.exec('ROLLBACK');
  expect(compactedUpTo(file)).toBe(0);
});
