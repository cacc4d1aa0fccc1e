import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from './private-file.ts';

const GONE = 'gone';

/** What a look at a path shows. */
export interface Seen {
  /** Identifies the file; `gone` if none can be seen there. */
  readonly identity: string;
  /** A text that changes whenever anybody writes to the file. With a write-ahead log only a checkpoint changes it. */
  readonly written: string;
}

export function lookAt(path: string): Seen {
  try {
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
    return { identity: `${dev} ${ino}`, written: `${size} ${mtimeNs}` };
  } catch {
    return { identity: GONE, written: GONE };
  }
}

const identityOf = (path: string): string => lookAt(path).identity;

/**
 * The path of an open database, with its file and its write-ahead log. If one of them is removed, only this process
 * still has it: without noticing, it would go on writing to a file that nobody can open later.
 */
export class FilePlace {
  readonly #path: string;
  readonly #file: string;
  readonly #log: string;

  /** To be called after the first read, because only then there is a log. */
  constructor(path: string) {
    this.#path = path;
    this.#file = identityOf(path);
    this.#log = identityOf(logOf(path));
  }

  /** Whether the file and its log are still there, neither removed nor replaced. */
  get isKept(): boolean {
    return this.isKeptWith(lookAt(this.#path));
  }

  /** `isKept` for a path that was looked at already. Each append checks the path, and a look takes time. */
  isKeptWith(seen: Seen): boolean {
    return seen.identity === this.#file && identityOf(logOf(this.#path)) === this.#log;
  }

  /** Whether the file is still there, neither removed nor replaced, whatever happened to its log. */
  get hasFile(): boolean {
    return identityOf(this.#path) === this.#file;
  }

  /** Whether another file is now at the path of the database. */
  get isTaken(): boolean {
    return !this.hasFile && identityOf(this.#path) !== GONE;
  }

  /**
   * Removes the database's log from the path, unless another log is there. Processes that have the log open keep it.
   */
  removeLog(): void {
    if (identityOf(logOf(this.#path)) !== this.#log) return;
    for (const suffix of ['-wal', '-shm']) rmSync(`${this.#path}${suffix}`, { force: true });
  }
}

/** Removes a database's file and the files that SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

/** The interval between two checks of the file. */
const LOOK_MS = 2_000;

/** Calls `onVanished`, once, when `isInPlace` is false. Returns a function that ends the checks. */
export function whenVanished(isInPlace: () => boolean, onVanished: () => void): () => void {
  const look = setInterval(() => {
    if (isInPlace()) return;
    clearInterval(look);
    onVanished();
  }, LOOK_MS).unref();
  return () => clearInterval(look);
}

const logOf = (path: string): string => `${path}-wal`;

/**
 * Writes a copy of an open database and returns when it is on disk. Throws as SQLite and the file system do, and leaves
 * no file then.
 *
 * @returns the path of the copy, beside `path`.
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
 * Moves a copy that `copyBeside` has written to the path of the database, once this process has closed the database.
 * Throws if somebody has put another file there meanwhile.
 */
export function putInPlace(beside: string, path: string, place: FilePlace): void {
  // These logs belong to the previous file: SQLite would take them for later writes to the copy.
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
