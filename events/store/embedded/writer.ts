import type { DatabaseSync } from 'node:sqlite';
import { Recent } from '../../bounded-map.ts';
import { runWriterThread, type Writer } from '../../sqlite/writer-thread.ts';
import { chainHash, GENESIS_HASH } from '../chain.ts';
import type { PreparedEvent } from '../prepare-append.ts';
import { categoryOf, ensureSchema } from './schema.ts';

export type WriteJob =
  | { kind: 'append'; stream: string; expected: number; events: readonly PreparedEvent[] }
  /** Writes a row, so that a full or read-only disk is noticed. */
  | { kind: 'ping' };

export type WriteResult =
  | { kind: 'appended'; revision: number; position: number }
  | { kind: 'conflict'; reason: string }
  | { kind: 'pong' };

interface Head {
  revision: number;
  hash: string;
}

const CACHED_HEADS = 10_000;

/**
 * The adapter's part of the writer thread. A refused append writes nothing, so it never disturbs others of its batch.
 */
function openWriter(db: DatabaseSync): Writer<WriteJob, WriteResult> {
  ensureSchema(db);
  const heads = new Recent<string, Head>(CACHED_HEADS);
  const selectHead = db.prepare(
    'SELECT revision, hash FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1',
  );
  const selectAt = db.prepare('SELECT hash, position FROM events WHERE stream = ? AND revision = ?');
  const selectId = db.prepare('SELECT 1 FROM events WHERE id = ?');
  const insert = db.prepare(
    'INSERT INTO events (stream, revision, category, type, id, hash, metadata, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const beat = db.prepare('UPDATE pulse SET beats = beats + 1');

  let newest = db.prepare('SELECT position, hash FROM events ORDER BY position DESC LIMIT 1').get() as
    | { position: number; hash: string }
    | undefined;

  const headOf = (stream: string): Head =>
    heads.get(stream) ?? (selectHead.get(stream) as Head | undefined) ?? { revision: -1, hash: GENESIS_HASH };

  /** The position of the last of these events, if exactly these events follow `expected` already. */
  const standingAt = ({ stream, expected, events }: WriteJob & { kind: 'append' }): number | undefined => {
    const before = selectAt.get(stream, expected);
    let hash = before === undefined ? GENESIS_HASH : (before['hash'] as string);
    let position: number | undefined;
    for (const [index, event] of events.entries()) {
      const revision = expected + 1 + index;
      hash = chainHash(hash, { stream, revision, ...event });
      const row = selectAt.get(stream, revision);
      if (row?.['hash'] !== hash) return undefined;
      position = row['position'] as number;
    }
    return position;
  };

  const append = (job: WriteJob & { kind: 'append' }): WriteResult => {
    const { stream, expected, events } = job;
    const head = headOf(stream);
    if (head.revision !== expected) {
      const position = head.revision > expected ? standingAt(job) : undefined;
      return position === undefined
        ? {
            kind: 'conflict',
            reason: `the expected revision is ${expected}, the stream is at ${head.revision}`,
          }
        : { kind: 'appended', revision: expected + events.length, position };
    }
    if (events.some((event) => selectId.get(event.id) !== undefined)) {
      return { kind: 'conflict', reason: 'an event of this append is already stored at another revision' };
    }
    let { revision, hash } = head;
    let position = 0;
    const category = categoryOf(stream);
    for (const event of events) {
      revision++;
      hash = chainHash(hash, { stream, revision, ...event });
      const { lastInsertRowid } = insert.run(
        stream,
        revision,
        category,
        event.type,
        event.id,
        hash,
        event.metadata,
        event.data,
      );
      position = Number(lastInsertRowid);
    }
    heads.set(stream, { revision, hash });
    if (events.length > 0) newest = { position, hash };
    return { kind: 'appended', revision, position };
  };

  return {
    isWhole(reading) {
      if (newest === undefined) return true;
      const found = reading.prepare('SELECT hash FROM events WHERE position = ?').get(newest.position);
      return found?.['hash'] === newest.hash;
    },
    apply(job) {
      if (job.kind === 'append') return append(job);
      beat.run();
      return { kind: 'pong' };
    },
  };
}

runWriterThread(openWriter);
