import type { DatabaseSync } from 'node:sqlite';
import { runWriterThread, type Writer } from '../sqlite/writer-thread.ts';
import { KEY_BYTES } from './seal.ts';

export type VaultJob =
  /** Takes `candidate` as the key of this name, unless the name has a key or was erased. */
  | { kind: 'create'; name: string; candidate: Uint8Array }
  | { kind: 'confirm'; names: readonly string[] }
  | { kind: 'discard'; names: readonly string[] }
  | { kind: 'erase'; name: string };

export type VaultResult =
  /** The key; `null` if the name was erased. */
  { kind: 'key'; key: Uint8Array | null } | { kind: 'changed'; rows: number };

/** The table of keys. The name of an erased key stays without a key (a tombstone), so that later text is refused. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS keys (
    name      TEXT PRIMARY KEY,
    key       BLOB,
    confirmed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS keys_unconfirmed ON keys (name) WHERE confirmed = 0;
`;

function openWriter(db: DatabaseSync): Writer<VaultJob, VaultResult> {
  // Deleted keys are overwritten with zeros in the file.
  db.exec(`PRAGMA secure_delete = ON; ${SCHEMA}`);
  // A key of the wrong length is damaged and decrypts nothing, so a new one replaces it. An erased key stays erased.
  const insert = db.prepare(
    `INSERT INTO keys (name, key) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET key = excluded.key, confirmed = 0 WHERE length(key) <> ${KEY_BYTES}`,
  );
  const select = db.prepare('SELECT key FROM keys WHERE name = ?');
  const confirm = db.prepare('UPDATE keys SET confirmed = 1 WHERE name = ? AND confirmed = 0');
  const discard = db.prepare('DELETE FROM keys WHERE name = ? AND confirmed = 0');
  const erase = db.prepare('UPDATE keys SET key = NULL, confirmed = 1 WHERE name = ? AND key IS NOT NULL');
  const bury = db.prepare(
    'INSERT INTO keys (name, key, confirmed) VALUES (?, NULL, 1) ON CONFLICT DO NOTHING',
  );

  const each = (names: readonly string[], statement: typeof confirm): VaultResult => ({
    kind: 'changed',
    rows: names.reduce((rows, name) => rows + Number(statement.run(name).changes), 0),
  });

  return {
    apply(job) {
      switch (job.kind) {
        case 'create':
          insert.run(job.name, job.candidate);
          return { kind: 'key', key: select.get(job.name)!['key'] as Uint8Array | null };
        case 'confirm':
          return each(job.names, confirm);
        case 'discard':
          return each(job.names, discard);
        case 'erase': {
          const rows = Number(erase.run(job.name).changes);
          bury.run(job.name);
          return { kind: 'changed', rows };
        }
      }
    },
    committed(jobs) {
      if (jobs.some((job) => job.kind === 'erase' || job.kind === 'discard')) {
        // When SQLite merges pages, copies of moved cells stay in their free space, so all pages are built anew.
        db.exec('VACUUM');
        // Old pages with the key are still in the write-ahead log, so the log is moved into the file and cut to zero
        // length.
        const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
        if (busy !== 0)
          throw new Error('the erased key may still be in the write-ahead log of the key file: erase again');
      }
    },
  };
}

runWriterThread(openWriter);
