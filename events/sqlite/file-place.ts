import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from './private-file.ts';

const GONE = 'gone';

/** Which file stands there; `gone` where none does that can be seen. */
function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return GONE;
  }
}

/**
 * Where a database that is open in this process was opened: its file and its write-ahead log. Whoever removes one of them
 * takes it from everybody but this process, which would go on writing into what ends with it, and hear of no fault.
 */
export class FilePlace {
  readonly #path: string;
  readonly #file: string;
  readonly #log: string;

  /** Call it when something was read: from then on there is a log. */
  constructor(path: string) {
    this.#path = path;
    this.#file = identityOf(path);
    this.#log = identityOf(logOf(path));
  }

  /** False where the file or its log was removed or replaced since. */
  get isKept(): boolean {
    return this.hasFile && identityOf(logOf(this.#path)) === this.#log;
  }

  /** The same of the file alone. */
  get hasFile(): boolean {
    return identityOf(this.#path) === this.#file;
  }

  /** Whether another file has taken its path. */
  get isTaken(): boolean {
    return !this.hasFile && identityOf(this.#path) !== GONE;
  }
}

const logOf = (path: string): string => `${path}-wal`;

/**
 * A copy of all that is in an open database, on disk when this returns. Throws as SQLite and the file system do, and leaves
 * nothing then.
 *
 * @returns its path, beside `path`
 */
export function copyBeside(db: DatabaseSync, path: string): string {
  const beside = `${path}.saved-${Date.now()}`;
  try {
    makePrivateFile(beside);
    db.prepare('VACUUM INTO ?').run(beside);
    sync(beside);
    sync(dirname(beside));
    return beside;
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Puts such a copy where the file was, once this process has closed that. A file that somebody has put there meanwhile
 * stays: then this throws.
 */
export function putInPlace(beside: string, path: string, place: FilePlace): void {
  // They belong to the previous file: with the copy, SQLite would take them for later writes to it.
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  if (place.hasFile) {
    renameSync(beside, path);
  } else {
    linkSync(beside, path);
    rmSync(beside);
  }
  sync(dirname(path));
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
