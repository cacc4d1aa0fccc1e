import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { toFault, type Fault } from './faults.ts';
import { lockFileOf } from './lock.ts';
import { makePrivateFile } from './private-file.ts';

/** From the thread: opened, one batch done, or a fault that left nothing of the batch acknowledged. */
export type ThreadReply<Result> =
  | { kind: 'open' }
  | { kind: 'done'; results: Result[] }
  | { kind: 'fault'; fault: Fault };

/** A database as the writer of one adapter sees it. */
export interface Writer<Job, Result> {
  /** Runs inside the batch's transaction. It throws only for faults that concern the whole batch. */
  apply(job: Job): Result;
  /** After the commit, before anyone is told. */
  committed?(jobs: readonly Job[]): void;
}

/**
 * The loop of a writer thread: every message is a batch of jobs, written in one transaction with one fsync; `null`
 * closes. After a fault the database is closed and opened afresh with the next batch, so that a fault that goes
 * away (space freed, file writable again) needs no restart.
 *
 * One process per file: the thread holds an exclusive lock on `<file>.lock` for as long as it lives. It is the
 * operating system's lock, so that it ends with the process, also by SIGKILL.
 */
export function runWriterThread<Job, Result>(open: (db: DatabaseSync) => Writer<Job, Result>): void {
  const port = parentPort!;
  const file = workerData as string;
  const reply = (message: ThreadReply<Result>): void => port.postMessage(message);
  let lock: DatabaseSync | undefined;
  let db: DatabaseSync | undefined;
  let writer: Writer<Job, Result> | undefined;

  const ensureOpen = (): Writer<Job, Result> => {
    lock ??= acquireLock(file);
    if (writer !== undefined) return writer;
    makePrivateFile(file);
    db = new DatabaseSync(file, { timeout: 2000 });
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY');
    // Fewer, larger checkpoints (16 MiB): each costs two more fsyncs than a commit.
    db.exec('PRAGMA wal_autocheckpoint = 4096; PRAGMA cache_size = -32000');
    writer = open(db);
    return writer;
  };

  const closeQuietly = (): void => {
    try {
      db?.close();
    } catch {
      // Closing after a fault may fault again; the file stays as its last commit left it.
    }
    db = undefined;
    writer = undefined;
  };

  const fail = (error: unknown): void => {
    closeQuietly();
    reply({ kind: 'fault', fault: toFault(error) });
  };

  port.on('message', (jobs: readonly Job[] | null) => {
    if (jobs === null) {
      closeQuietly();
      lock?.close();
      port.close();
      return;
    }
    try {
      const current = ensureOpen();
      db!.exec('BEGIN IMMEDIATE');
      const results = jobs.map((job) => current.apply(job));
      db!.exec('COMMIT');
      current.committed?.(jobs);
      reply({ kind: 'done', results });
    } catch (error) {
      fail(error);
    }
  });

  try {
    ensureOpen();
    reply({ kind: 'open' });
  } catch (error) {
    fail(error);
    lock?.close();
    port.close();
  }
}

function acquireLock(file: string): DatabaseSync {
  makePrivateFile(lockFileOf(file));
  const lock = new DatabaseSync(lockFileOf(file), { timeout: 1000 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}
