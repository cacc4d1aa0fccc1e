import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { CORRUPT, FILE_MOVED, isDamaged, toFault, type Fault } from './faults.ts';
import { copyBeside, FilePlace, lookAt, putInPlace, type Seen } from './file-place.ts';
import { lockFileOf } from './lock.ts';
import { makePrivateFile } from './private-file.ts';

/**
 * What the thread reports: that the file is open, that a batch is written, a fault (then nothing of the batch is
 * written), or news of the file.
 */
export type ThreadReply<Result> =
  | { kind: 'open' }
  | { kind: 'done'; results: Result[] }
  | { kind: 'fault'; fault: Fault }
  | ({ kind: 'file' } & FileNews);

/** The file was removed or replaced under the thread. */
export type FileNews =
  /** The open file is in its place again, or the file itself is back. Readers have to open it again. */
  | { state: 'back' }
  /** The file could not be put back, for this reason: no job is accepted until the file is back. */
  | { state: 'missing'; reason: string }
  /** The content of the file is not what was written. This process writes nothing more to it. */
  | { state: 'damaged'; reason: string };

/** What an adapter does with its database in the writer thread. */
export interface Writer<Job, Result> {
  /** Runs inside the batch's transaction. It throws only for faults that concern the whole batch. */
  apply(job: Job): Result;
  /** Whether a file that somebody else has written to still has what was committed. */
  isWhole?(reading: DatabaseSync): boolean;
  /** Called after the commit, before any caller is told of it. */
  committed?(jobs: readonly Job[]): void;
}

const OVERWRITTEN = 'another program has written to it while it was open here';
/** Milliseconds between two checks of the file while nothing is written. */
const LOOK_MS = 1_000;
/** The pause between attempts to put the file back. Each attempt copies all of it. */
const RETRY_MS = 10_000;

/**
 * The loop of a writer thread: every message is a batch of jobs, written in one transaction with one fsync; `null`
 * closes. After a fault the database is closed, and opened again with the next batch, so that a passing fault (space
 * freed, file writable again) needs no restart.
 *
 * A batch is done when its commit is in the file at the path. If that file or its log was removed, this thread still
 * has it open: it writes a copy of the whole content to the path, and goes on with the copy.
 *
 * One process per file: the thread holds an exclusive lock on `<file>.lock` for as long as it lives. It is a lock of
 * the operating system, so it ends with the process, also by SIGKILL.
 */
export function runWriterThread<Job, Result>(open: (db: DatabaseSync) => Writer<Job, Result>): void {
  const port = parentPort!;
  const file = workerData as string;
  const reply = (message: ThreadReply<Result>): void => port.postMessage(message);
  let lock: DatabaseSync | undefined;
  let db: DatabaseSync | undefined;
  let writer: Writer<Job, Result> | undefined;
  let place: FilePlace | undefined;
  /**
   * The state of the file after the last checkpoint of this thread. If it differs, somebody else has written to the
   * file.
   */
  let written = '';
  let isOverwritten = false;
  /** Why the file is not at its path; `undefined` while it is. */
  let missing: string | undefined;
  /** The path of the copy of the open file, if somebody has put another file at its path. */
  let savedBeside: string | undefined;
  let triedAt = -Infinity;
  let look: NodeJS.Timeout | undefined;

  const tell = (reason: string | undefined): void => {
    if (missing === reason) return;
    missing = reason;
    reply(
      reason === undefined ? { kind: 'file', state: 'back' } : { kind: 'file', state: 'missing', reason },
    );
  };

  const ensureOpen = (): Writer<Job, Result> => {
    lock ??= acquireLock(file);
    if (writer !== undefined) return writer;
    // Opening would create a new file, and so hide that the previous one is gone.
    if (place?.hasFile === false) {
      tell(missing ?? 'it was removed or replaced');
      throw movedError();
    }
    makePrivateFile(file);
    db = new DatabaseSync(file, { timeout: 2000 });
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY');
    // Fewer, larger checkpoints (16 MiB): each costs two more fsyncs than a commit.
    db.exec('PRAGMA wal_autocheckpoint = 4096; PRAGMA cache_size = -32000');
    writer = open(db);
    place = new FilePlace(file);
    written = lookAt(file).written;
    tell(undefined);
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

  const movedError = (): Error =>
    Object.assign(new Error(`${basename(file)}: ${missing}`), { errcode: FILE_MOVED });

  const putBack = (): void => {
    if (db?.isTransaction === true) db.exec('ROLLBACK');
    const beside = copyBeside(db!, file);
    const old = place!;
    if (old.isTaken) {
      savedBeside = beside;
      // At the next start SQLite would take the old log for later writes to the new file, and damage it.
      old.removeLog();
      throw new Error(`another file is in its place; all that was recorded is in ${basename(beside)}`);
    }
    closeQuietly();
    try {
      putInPlace(beside, file, old);
    } catch (error) {
      const why = toFault(error).message;
      throw new Error(
        `all that was recorded is in ${basename(beside)}, which cannot take its place: ${why}`,
        {
          cause: error,
        },
      );
    }
    place = undefined;
    missing = 'it was removed';
    ensureOpen();
  };

  /** The file at the path has the whole content again, so the copy is removed. */
  const dropSaved = (): void => {
    if (savedBeside !== undefined) rmSync(savedBeside, { force: true });
    savedBeside = undefined;
  };

  /** Reports, once, if somebody has written to the file, for instance by `cp` of a backup, and its content differs. */
  const lookAtContent = (now: Seen): void => {
    if (now.written === written || isOverwritten) return;
    written = now.written;
    if (isWhole()) return;
    isOverwritten = true;
    reply({ kind: 'file', state: 'damaged', reason: OVERWRITTEN });
  };

  const isWhole = (): boolean => {
    try {
      const reading = new DatabaseSync(file, { readOnly: true, timeout: 2000 });
      try {
        const [row] = reading.prepare('PRAGMA integrity_check(1)').all();
        return row?.['integrity_check'] === 'ok' && writer!.isWhole?.(reading) !== false;
      } finally {
        reading.close();
      }
    } catch (error) {
      // A file that cannot be read now may still have its content.
      return !isDamaged(error);
    }
  };

  /** Whether the open file is at its path. If not, it is put back. */
  const keep = (atOnce = false, seen = lookAt(file)): boolean => {
    if (writer === undefined) return true;
    if (place!.isKeptWith(seen)) {
      lookAtContent(seen);
      tell(undefined);
      dropSaved();
      return true;
    }
    const now = performance.now();
    if ((savedBeside !== undefined && place!.isTaken) || (!atOnce && now < triedAt + RETRY_MS)) return false;
    triedAt = now;
    try {
      putBack();
      dropSaved();
      triedAt = -Infinity;
      return true;
    } catch (error) {
      tell(toFault(error).message);
      return false;
    }
  };

  const fail = (error: unknown): void => {
    // The open file may be the only copy left, so it is not closed.
    if (place === undefined || place.isKept) closeQuietly();
    else if (db?.isTransaction === true) db.exec('ROLLBACK');
    reply({ kind: 'fault', fault: toFault(error) });
  };
  const assertKept = (seen?: Seen): void => {
    if (!keep(false, seen)) throw movedError();
    if (isOverwritten) throw Object.assign(new Error(OVERWRITTEN), { errcode: CORRUPT });
  };

  port.on('message', (jobs: readonly Job[] | null) => {
    if (jobs === null) {
      clearInterval(look);
      keep(true);
      closeQuietly();
      lock?.close();
      port.close();
      return;
    }
    try {
      ensureOpen();
      assertKept();
      const current = ensureOpen();
      db!.exec('BEGIN IMMEDIATE');
      const results = jobs.map((job) => current.apply(job));
      db!.exec('COMMIT');
      const seen = lookAt(file);
      written = seen.written;
      assertKept(seen);
      writer!.committed?.(jobs);
      reply({ kind: 'done', results });
    } catch (error) {
      fail(error);
    }
  });

  try {
    ensureOpen();
    look = setInterval(() => keep(), LOOK_MS);
    reply({ kind: 'open' });
  } catch (error) {
    // The lock is released before the fault is reported, because a caller may then check the lock.
    lock?.close();
    fail(error);
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
